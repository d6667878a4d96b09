/// The neighbour kernels in plain C: what the lanes must give, to the bit.
///
/// Neighbour number k of a range adds to partial sum k modulo eight. A neighbour that does not
/// count adds nothing here and +0 in the lanes, which is the same, since no partial sum is ever -0.
/// `ask` asks who is who; without it all are of one mind.
#include "core/lanes.h"
#include "crowd/kernels.h"
#include <math.h>

typedef struct sense_sums {
    float push_x[THG_LANES], push_y[THG_LANES], side_x[THG_LANES], side_y[THG_LANES];
    float settled[THG_LANES], parked[THG_LANES];
    float allowed, stirred;
} sense_sums;

/// What one row is to an agent.
typedef struct relation {
    bool minded, enemy;
    bool strange; ///< nobody to shoulder past: an enemy, a neutral, or one that cannot be moved
    bool below;   ///< of lower rank
} relation;

static relation relation_to(const thg_rows *rows, const thg_sense_agent *agent, int j, bool ask)
{
    if (!ask) {
        return (relation){.minded = true};
    }
    uint32_t common = rows->who[j] & agent->minds;
    bool enemy = (common & THG_TEAM_BITS) != 0;
    return (relation){.minded = (common & THG_LAYER_BITS) != 0,
                      .enemy = enemy,
                      .strange = enemy || (rows->who[j] & agent->neutrals) != 0 ||
                                 !(rows->yield[j] > THG_FIXED_YIELD),
                      .below = rows->rank[j] < agent->rank};
}

/// One who walks to the goal that the agent has.
static bool is_comrade(const thg_rows *rows, const thg_sense_agent *agent, int j)
{
    float walking_key = agent->key - ((int)agent->key & 1 ? 1.0f : 0.0f);
    return rows->key[j] == walking_key && walking_key != 0.0f;
}

/// A collision ahead in time moves the agent aside.
static void add_side(const thg_rows *rows, const thg_sense_agent *agent, int j, float dx, float dy,
                     float reach, const relation *is, int lane, sense_sums *sums)
{
    bool stands = agent->ahead_x == 0.0f && agent->ahead_y == 0.0f;
    float their_x = rows->wish_x[j], their_y = rows->wish_y[j];
    float rel_x = agent->wish_x - their_x, rel_y = agent->wish_y - their_y;
    float look_x = agent->ahead_x, look_y = agent->ahead_y;
    if (stands) {
        if (is_comrade(rows, agent, j) || rows->stir[j] != THG_STIR_WALKING || is->enemy) {
            return;
        }
        float speed = sqrtf(their_x * their_x + their_y * their_y);
        speed = 1.0f / (speed > THG_CRAWL ? speed : THG_CRAWL);
        look_x = -their_x * speed;
        look_y = -their_y * speed;
    }
    float closing = dx * rel_x + dy * rel_y;
    float relative = rel_x * rel_x + rel_y * rel_y;
    float clear = (dx * dx + dy * dy) - reach * reach;
    float root = closing * closing - relative * clear;
    if (!(closing > 0.0f) || !(root > 0.0f) || !(relative > THG_LEAST_CLOSING) || is->below) {
        return;
    }
    float time = (closing - sqrtf(root)) / relative;
    time = time > 0.0f ? time : 0.0f;
    float urgency = 1.0f - time * (1.0f / agent->horizon);
    if (!(urgency > 0.0f)) {
        return;
    }
    urgency = urgency * urgency;
    float hit_x = dx - rel_x * time, hit_y = dy - rel_y * time;
    float turn = (look_x * hit_y - look_y * hit_x) * (0.25f / agent->radius);
    float side = turn < THG_LEFT_FROM ? -1.0f : 1.0f;
    float room = 1.0f - turn * side;
    room = room > 0.5f ? room : 0.5f;
    float amount = side * urgency * room;
    sums->side_x[lane] += look_y * amount;
    sums->side_y[lane] -= look_x * amount;
}

static void sense_one(const thg_rows *rows, const thg_sense_agent *agent, int j, int lane, bool ask,
                      sense_sums *sums)
{
    float dx = rows->x[j] - agent->x, dy = rows->y[j] - agent->y;
    float square = dx * dx + dy * dy;
    const relation is = relation_to(rows, agent, j, ask);
    if (!(square > THG_COINCIDENT) || !is.minded) {
        return;
    }
    float distance = sqrtf(square);
    float inverse = 1.0f / distance;
    float reach = agent->radius + rows->radius[j];
    float gap = distance - reach;

    float near = 1.0f - gap * (1.0f / agent->separation_gap);
    if (near > 0.0f && !is.below) {
        near = near < 1.0f ? near : 1.0f;
        near = near * near * inverse;
        sums->push_x[lane] -= dx * near;
        sums->push_y[lane] -= dy * near;
    }

    float walking_key = agent->key - ((int)agent->key & 1 ? 1.0f : 0.0f);
    if (distance < reach * THG_CONTACT_SLACK) {
        if (!is_comrade(rows, agent, j) && rows->stir[j] > sums->stirred && !is.enemy &&
            !is.below) {
            sums->stirred = rows->stir[j];
        }
        if (rows->key[j] == walking_key + 1.0f) {
            sums->settled[lane] += 1.0f;
        }
    }

    float along = (dx * agent->ahead_x + dy * agent->ahead_y) * inverse;
    float across = agent->ahead_x * dy - agent->ahead_y * dx;
    across = across > -across ? across : -across;
    if (along > 0.5f && across < reach) {
        float theirs = rows->vx[j] * agent->ahead_x + rows->vy[j] * agent->ahead_y;
        float leave = theirs * agent->following + gap * (1.0f / agent->headway);
        sums->allowed = sums->allowed < leave ? sums->allowed : leave;
        bool parked = rows->key[j] != walking_key + 1.0f && rows->stir[j] != THG_STIR_WALKING;
        if (gap < THG_SHOULDER_GAP && ((parked && !is.strange) || is.below)) {
            sums->parked[lane] += 1.0f;
        }
    }
    add_side(rows, agent, j, dx, dy, reach, &is, lane, sums);
}

static void sense_with(const thg_rows *rows, const thg_sense_agent *agent, const thg_ranges *ranges,
                       bool ask, thg_sense_result *result)
{
    sense_sums sums = {.allowed = THG_FREE_SPEED};
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            sense_one(rows, agent, j, (j - ranges->begin[k]) % THG_LANES, ask, &sums);
        }
    }
    result->push_x = thg_sum_tree(sums.push_x);
    result->push_y = thg_sum_tree(sums.push_y);
    result->side_x = thg_sum_tree(sums.side_x);
    result->side_y = thg_sum_tree(sums.side_y);
    result->allowed = sums.allowed;
    result->stirred = sums.stirred;
    result->settled = thg_sum_tree(sums.settled);
    result->parked = thg_sum_tree(sums.parked);
}

/// Share of an overlap that one row takes, of two that both give way somewhat. Who outranks gives
/// way little, who holds against an enemy not at all, and who does not mind the other will not
/// move, so the other must.
static float share_of(const thg_rows *rows, int row, int j, bool ask)
{
    float mine = rows->yield[row], yours = rows->yield[j];
    if (ask) {
        bool enemy = (rows->who[j] & rows->minds[row] & THG_TEAM_BITS) != 0;
        bool i_walk = rows->stir[row] == THG_STIR_WALKING;
        bool you_walk = rows->stir[j] == THG_STIR_WALKING;
        bool you_mind = (rows->minds[j] & rows->who[row] & THG_LAYER_BITS) != 0;
        mine = rows->rank[j] < rows->rank[row] ? mine * THG_OUTRANKED : mine;
        yours = rows->rank[row] < rows->rank[j] ? yours * THG_OUTRANKED : yours;
        mine = enemy && you_walk && !i_walk ? 0.0f : mine;
        yours = (enemy && i_walk && !you_walk) || !you_mind ? 0.0f : yours;
        yours = yours > THG_NO_YIELD ? yours : THG_NO_YIELD; // two that hold: neither is pushed
    }
    return mine / (mine + yours);
}

static bool minds(const thg_rows *rows, int row, int j)
{
    return (rows->who[j] & rows->minds[row] & THG_LAYER_BITS) != 0;
}

static void contact_with(const thg_rows *rows, int row, const thg_ranges *ranges, bool ask,
                         thg_contact_result *result)
{
    float push_x[THG_LANES] = {0}, push_y[THG_LANES] = {0}, count[THG_LANES] = {0};
    float deepest = 0.0f, radius = rows->radius[row];
    float own_x = 0.0f, own_y = 0.0f;
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            float dx = rows->x[row] - rows->x[j], dy = rows->y[row] - rows->y[j];
            float square = dx * dx + dy * dy;
            float reach = radius + rows->radius[j];
            if (j == row || !(square < reach * reach) || (ask && !minds(rows, row, j))) {
                continue;
            }
            bool apart = square > THG_COINCIDENT;
            if (!apart) {
                thg_own_direction(rows->turn, rows->slot[row], &own_x, &own_y);
            }
            float distance = apart ? sqrtf(square) : 0.0f;
            float inverse = apart ? 1.0f / distance : 0.0f;
            float unit_x = apart ? dx * inverse : own_x;
            float unit_y = apart ? dy * inverse : own_y;
            float overlap = reach - distance;
            float amount = overlap * share_of(rows, row, j, ask);
            int lane = (j - ranges->begin[k]) % THG_LANES;
            push_x[lane] += unit_x * amount;
            push_y[lane] += unit_y * amount;
            count[lane] += 1.0f;
            float depth = overlap / (radius < rows->radius[j] ? radius : rows->radius[j]);
            deepest = deepest > depth ? deepest : depth;
        }
    }
    result->push_x = thg_sum_tree(push_x);
    result->push_y = thg_sum_tree(push_y);
    result->count = thg_sum_tree(count);
    result->deepest = deepest;
}

static int find_scalar(const thg_rows *rows, int row, const thg_ranges *ranges, uint32_t *second)
{
    int count = 0;
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            float dx = rows->x[row] - rows->x[j], dy = rows->y[row] - rows->y[j];
            float reach = rows->radius[row] + rows->radius[j];
            if (j != row && dx * dx + dy * dy < reach * reach && count++ < THG_FOUND_MOST) {
                uint32_t lane = (uint32_t)(j - ranges->begin[k]) % THG_LANES;
                second[count - 1] = (uint32_t)j | lane << THG_PAIR_LANE;
            }
        }
    }
    return count;
}

static void push_scalar(const thg_rows *rows, thg_pairs *pairs)
{
    for (int p = 0; p < pairs->count; p++) {
        int row = (int)pairs->first[p], j = (int)(pairs->second[p] & THG_PAIR_ROW);
        float dx = rows->x[row] - rows->x[j], dy = rows->y[row] - rows->y[j];
        float square = dx * dx + dy * dy, radius = rows->radius[row];
        float unit_x, unit_y, distance = 0.0f;
        if (square > THG_COINCIDENT) {
            distance = sqrtf(square);
            float inverse = 1.0f / distance;
            unit_x = dx * inverse;
            unit_y = dy * inverse;
        } else {
            thg_own_direction(rows->turn, rows->slot[row], &unit_x, &unit_y);
        }
        float overlap = radius + rows->radius[j] - distance;
        float amount = overlap * share_of(rows, row, j, false);
        pairs->push_x[p] = unit_x * amount;
        pairs->push_y[p] = unit_y * amount;
        pairs->depth[p] = overlap / (radius < rows->radius[j] ? radius : rows->radius[j]);
    }
}

static void sense_scalar(const thg_rows *rows, const thg_sense_agent *agent,
                         const thg_ranges *ranges, thg_sense_result *result)
{
    sense_with(rows, agent, ranges, false, result);
}

static void sense_scalar_who(const thg_rows *rows, const thg_sense_agent *agent,
                             const thg_ranges *ranges, thg_sense_result *result)
{
    sense_with(rows, agent, ranges, true, result);
}

static void contact_scalar(const thg_rows *rows, int row, const thg_ranges *ranges,
                           thg_contact_result *result)
{
    contact_with(rows, row, ranges, false, result);
}

static void contact_scalar_who(const thg_rows *rows, int row, const thg_ranges *ranges,
                               thg_contact_result *result)
{
    contact_with(rows, row, ranges, true, result);
}

const thg_kernels thg_kernels_scalar = {
    THRONG_KERNELS_SCALAR, sense_scalar, contact_scalar, sense_scalar_who,
    contact_scalar_who,    find_scalar,  push_scalar};
