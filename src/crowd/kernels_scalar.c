/// The neighbour kernels in plain C: what the lanes must give, to the bit.
///
/// Neighbour number k of a range adds to partial sum k modulo eight. A neighbour that does not
/// count adds nothing here and +0 in the lanes, which is the same, since no partial sum is ever -0.
#include "core/lanes.h"
#include "crowd/kernels.h"
#include <math.h>

typedef struct sense_sums {
    float push_x[THG_LANES], push_y[THG_LANES], side_x[THG_LANES], side_y[THG_LANES];
    float settled[THG_LANES], parked[THG_LANES];
    float allowed, stirred;
} sense_sums;

/// One who walks to the goal that the agent has.
static bool is_comrade(const thg_rows *rows, const thg_sense_agent *agent, int j)
{
    float walking_key = agent->key - ((int)agent->key & 1 ? 1.0f : 0.0f);
    return rows->key[j] == walking_key && walking_key != 0.0f;
}

/// A collision ahead in time moves the agent aside.
static void add_side(const thg_rows *rows, const thg_sense_agent *agent, int j, float dx, float dy,
                     float reach, int lane, sense_sums *sums)
{
    bool stands = agent->ahead_x == 0.0f && agent->ahead_y == 0.0f;
    float their_x = rows->wish_x[j], their_y = rows->wish_y[j];
    float rel_x = agent->wish_x - their_x, rel_y = agent->wish_y - their_y;
    float look_x = agent->ahead_x, look_y = agent->ahead_y;
    if (stands) {
        if (is_comrade(rows, agent, j) || rows->stir[j] != THG_STIR_WALKING) {
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
    if (!(closing > 0.0f) || !(root > 0.0f) || !(relative > THG_LEAST_CLOSING)) {
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

static void sense_one(const thg_rows *rows, const thg_sense_agent *agent, int j, int lane,
                      sense_sums *sums)
{
    float dx = rows->x[j] - agent->x, dy = rows->y[j] - agent->y;
    float square = dx * dx + dy * dy;
    if (!(square > THG_COINCIDENT)) {
        return;
    }
    float distance = sqrtf(square);
    float inverse = 1.0f / distance;
    float reach = agent->radius + rows->radius[j];
    float gap = distance - reach;

    float near = 1.0f - gap * (1.0f / agent->separation_gap);
    if (near > 0.0f) {
        near = near < 1.0f ? near : 1.0f;
        near = near * near * inverse;
        sums->push_x[lane] -= dx * near;
        sums->push_y[lane] -= dy * near;
    }

    float walking_key = agent->key - ((int)agent->key & 1 ? 1.0f : 0.0f);
    if (distance < reach * THG_CONTACT_SLACK) {
        if (!is_comrade(rows, agent, j) && rows->stir[j] > sums->stirred) {
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
        if (gap < THG_SHOULDER_GAP && rows->key[j] != walking_key + 1.0f &&
            rows->stir[j] != THG_STIR_WALKING) {
            sums->parked[lane] += 1.0f;
        }
    }
    add_side(rows, agent, j, dx, dy, reach, lane, sums);
}

static void sense_scalar(const thg_rows *rows, const thg_sense_agent *agent,
                         const thg_ranges *ranges, thg_sense_result *result)
{
    sense_sums sums = {.allowed = THG_FREE_SPEED};
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            sense_one(rows, agent, j, (j - ranges->begin[k]) % THG_LANES, &sums);
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

static void contact_scalar(const thg_rows *rows, int row, const thg_ranges *ranges,
                           thg_contact_result *result)
{
    float push_x[THG_LANES] = {0}, push_y[THG_LANES] = {0}, count[THG_LANES] = {0};
    float deepest = 0.0f, radius = rows->radius[row], yield = rows->yield[row];
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            float dx = rows->x[row] - rows->x[j], dy = rows->y[row] - rows->y[j];
            float square = dx * dx + dy * dy;
            float reach = radius + rows->radius[j];
            if (j == row || !(square < reach * reach)) {
                continue;
            }
            bool apart = square > THG_COINCIDENT;
            float distance = apart ? sqrtf(square) : 0.0f;
            float inverse = apart ? 1.0f / distance : 0.0f;
            float unit_x = apart ? dx * inverse : rows->spread_x[row];
            float unit_y = apart ? dy * inverse : rows->spread_y[row];
            float overlap = reach - distance;
            float amount = overlap * (yield / (yield + rows->yield[j]));
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

const thg_kernels thg_kernels_scalar = {THRONG_KERNELS_SCALAR, sense_scalar, contact_scalar};
