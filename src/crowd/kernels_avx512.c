/// The neighbour kernels for AVX-512: two groups of eight lanes at a time, with its masks; where
/// they ask who is who one group, in lanes of AVX-512VL.
#include "crowd/kernels.h"
#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define THG_SENSE_IN_PAIRS
#include "core/lane_pairs.h"
#include "crowd/kernels_lanes.inc"

// Term by term as in kernels_lanes.inc, without its branches: what those leave out adds nothing.

/// Rows in groups of eight, two at a time, in the order of the ranges.
typedef struct pair_walk {
    const thg_ranges *ranges;
    int range, at, end; ///< where the next group begins, and its range ends
    int low, high;
    thg_pair_mask there;
} pair_walk;

THG_LANE_INLINE bool next_group(pair_walk *walk, int *first, uint32_t *mask)
{
    while (walk->at >= walk->end) {
        if (++walk->range >= walk->ranges->count) {
            return false;
        }
        walk->at = walk->ranges->begin[walk->range];
        walk->end = walk->ranges->end[walk->range];
    }
    *first = walk->at;
    *mask = thg_pair_first(walk->end - walk->at);
    walk->at += THG_LANES;
    return true;
}

THG_LANE_INLINE bool next_pair(pair_walk *walk)
{
    uint32_t low = 0, high = 0;
    if (!next_group(walk, &walk->low, &low)) {
        return false;
    }
    walk->high = walk->low;
    (void)next_group(walk, &walk->high, &high);
    walk->there = (thg_pair_mask)(low | high << THG_LANES);
    return true;
}

/// Adds to eight partial sums what the two groups have, one after the other.
THG_LANE_INLINE thg_lanes plus(thg_lanes sums, thg_pair pair)
{
    return (sums + thg_pair_low(pair)) + thg_pair_high(pair);
}

THG_LANE_INLINE thg_lanes minus(thg_lanes sums, thg_pair pair)
{
    return (sums - thg_pair_low(pair)) - thg_pair_high(pair);
}

/// Who looks, in all lanes.
typedef struct pair_eye {
    thg_pair x, y, radius, ahead_x, ahead_y, wish_x, wish_y;
    thg_pair gap_scale, horizon_scale, headway_scale, turn_scale, following;
    thg_pair walking_key, standing_key; ///< of those with the same goal
    thg_pair_mask has_goal;
    int stands;
} pair_eye;

THG_LANE_INLINE pair_eye open_eye(const thg_sense_agent *agent)
{
    const float goal_key = agent->key - ((int)agent->key & 1 ? 1.0f : 0.0f);
    return (pair_eye){.x = thg_pair_all(agent->x),
                      .y = thg_pair_all(agent->y),
                      .radius = thg_pair_all(agent->radius),
                      .ahead_x = thg_pair_all(agent->ahead_x),
                      .ahead_y = thg_pair_all(agent->ahead_y),
                      .wish_x = thg_pair_all(agent->wish_x),
                      .wish_y = thg_pair_all(agent->wish_y),
                      .gap_scale = thg_pair_all(1.0f / agent->separation_gap),
                      .horizon_scale = thg_pair_all(1.0f / agent->horizon),
                      .headway_scale = thg_pair_all(1.0f / agent->headway),
                      .turn_scale = thg_pair_all(0.25f / agent->radius),
                      .following = thg_pair_all(agent->following),
                      .walking_key = thg_pair_all(goal_key),
                      .standing_key = thg_pair_all(goal_key + 1.0f),
                      .has_goal = goal_key > 0.0f ? 0xffffu : 0u,
                      .stands = agent->ahead_x == 0.0f && agent->ahead_y == 0.0f};
}

/// Whom it sees.
typedef struct pair_seen {
    int low, high; ///< where the two groups begin
    thg_pair dx, dy, square, reach;
    thg_pair_mask there;
    thg_pair_mask walks, comrade; ///< comrades walk to the same goal
} pair_seen;

/// Adds stepping aside from those with whom the wishes of both would collide.
THG_LANE_INLINE void step_aside(const thg_rows *rows, const pair_eye *eye, const pair_seen *seen,
                                thg_lanes *side_x, thg_lanes *side_y)
{
    const thg_pair zero = thg_pair_all(0.0f), one = thg_pair_all(1.0f);
    thg_pair their_x = thg_pair_load(rows->wish_x, seen->low, seen->high);
    thg_pair their_y = thg_pair_load(rows->wish_y, seen->low, seen->high);
    thg_pair rel_x = eye->wish_x - their_x, rel_y = eye->wish_y - their_y;
    thg_pair closing = seen->dx * rel_x + seen->dy * rel_y;
    thg_pair relative = rel_x * rel_x + rel_y * rel_y;
    thg_pair clear = seen->square - seen->reach * seen->reach;
    thg_pair root = closing * closing - relative * clear;
    thg_pair_mask hit = thg_pair_less(thg_pair_less(seen->there, zero, closing), zero, root);
    hit = thg_pair_less(hit, thg_pair_all(THG_LEAST_CLOSING), relative);
    thg_pair look_x = eye->ahead_x, look_y = eye->ahead_y;
    if (eye->stands) {
        hit &= seen->walks & (thg_pair_mask)~seen->comrade;
        if (hit == 0) {
            return;
        }
        thg_pair speed = thg_pair_sqrt(their_x * their_x + their_y * their_y);
        speed = one / thg_pair_larger(speed, thg_pair_all(THG_CRAWL));
        look_x = -their_x * speed;
        look_y = -their_y * speed;
    }
    root = thg_pair_sqrt(thg_pair_keep(hit, root));
    thg_pair time = (closing - root) / thg_pair_select(hit, relative, one);
    time = thg_pair_larger(time, zero);
    thg_pair urgency = one - time * eye->horizon_scale;
    urgency = thg_pair_keep(thg_pair_less(hit, zero, urgency), urgency * urgency);
    thg_pair hit_x = seen->dx - rel_x * time, hit_y = seen->dy - rel_y * time;
    thg_pair turn = (look_x * hit_y - look_y * hit_x) * eye->turn_scale;
    thg_pair_mask is_left = thg_pair_less(0xffffu, turn, thg_pair_all(THG_LEFT_FROM));
    thg_pair side = thg_pair_select(is_left, -one, one);
    thg_pair room = thg_pair_larger(one - turn * side, thg_pair_all(0.5f));
    thg_pair amount = side * urgency * room;
    *side_x = plus(*side_x, look_y * amount);
    *side_y = minus(*side_y, look_x * amount);
}

static void sense_pairs(const thg_rows *rows, const thg_sense_agent *agent,
                        const thg_ranges *ranges, thg_sense_result *result)
{
    const pair_eye eye = open_eye(agent);
    const thg_pair zero = thg_pair_all(0.0f), one = thg_pair_all(1.0f);
    const thg_pair half = thg_pair_all(0.5f);
    thg_lanes push_x = {0}, push_y = {0}, side_x = {0}, side_y = {0};
    thg_pair allowed = thg_pair_all(THG_FREE_SPEED), stirred = zero;
    int settled = 0, parked = 0;
    pair_walk walk = {.ranges = ranges, .range = -1};
    while (next_pair(&walk)) {
        const int a = walk.low, b = walk.high;
        pair_seen seen = {.low = a, .high = b};
        seen.dx = thg_pair_load(rows->x, a, b) - eye.x;
        seen.dy = thg_pair_load(rows->y, a, b) - eye.y;
        seen.square = seen.dx * seen.dx + seen.dy * seen.dy;
        seen.there = thg_pair_less(walk.there, thg_pair_all(THG_COINCIDENT), seen.square);
        seen.reach = eye.radius + thg_pair_load(rows->radius, a, b);
        thg_pair distance = thg_pair_sqrt(thg_pair_select(seen.there, seen.square, one));
        thg_pair inverse = one / distance;
        thg_pair gap = distance - seen.reach;
        thg_pair their_key = thg_pair_load(rows->key, a, b);
        thg_pair stir = thg_pair_load(rows->stir, a, b);
        seen.comrade = thg_pair_equal(eye.has_goal, their_key, eye.walking_key);
        seen.walks = thg_pair_equal(seen.there, stir, thg_pair_all(THG_STIR_WALKING));

        thg_pair near = one - gap * eye.gap_scale;
        near = thg_pair_keep(thg_pair_less(seen.there, zero, near), near);
        near = thg_pair_smaller(near, one);
        near = near * near * inverse;
        push_x = minus(push_x, seen.dx * near);
        push_y = minus(push_y, seen.dy * near);

        thg_pair slack = thg_pair_all(THG_CONTACT_SLACK);
        thg_pair_mask touch = thg_pair_less(seen.there, distance, seen.reach * slack);
        thg_pair_mask same = thg_pair_equal(seen.there, their_key, eye.standing_key);
        stirred =
            thg_pair_larger(stirred, thg_pair_keep(touch & (thg_pair_mask)~seen.comrade, stir));
        settled += thg_pair_count(touch & same);

        thg_pair along = (seen.dx * eye.ahead_x + seen.dy * eye.ahead_y) * inverse;
        thg_pair across = thg_pair_size(eye.ahead_x * seen.dy - eye.ahead_y * seen.dx);
        thg_pair_mask in_front =
            thg_pair_less(thg_pair_less(seen.there, half, along), across, seen.reach);
        thg_pair vx = thg_pair_load(rows->vx, a, b), vy = thg_pair_load(rows->vy, a, b);
        thg_pair theirs = vx * eye.ahead_x + vy * eye.ahead_y;
        thg_pair leave = theirs * eye.following + gap * eye.headway_scale;
        allowed = thg_pair_select(in_front, thg_pair_smaller(allowed, leave), allowed);
        thg_pair_mask close = thg_pair_less(in_front, gap, thg_pair_all(THG_SHOULDER_GAP));
        parked += thg_pair_count(close & (thg_pair_mask) ~(same | seen.walks));

        step_aside(rows, &eye, &seen, &side_x, &side_y);
    }
    float sums[4];
    thg_lanes_sums(push_x, push_y, side_x, side_y, sums);
    result->push_x = sums[0];
    result->push_y = sums[1];
    result->side_x = sums[2];
    result->side_y = sums[3];
    result->allowed =
        thg_lanes_least(thg_lanes_smaller(thg_pair_low(allowed), thg_pair_high(allowed)));
    result->stirred =
        thg_lanes_most(thg_lanes_larger(thg_pair_low(stirred), thg_pair_high(stirred)));
    result->settled = (float)settled;
    result->parked = (float)parked;
}

/// Notes which of two groups touch a row behind the `count` that are noted. Returns how many do.
THG_LANE_INLINE int note_touching(const thg_rows *rows, int row, int low, int high,
                                  thg_pair_mask there, int count, uint32_t *second)
{
    thg_pair dx = thg_pair_all(rows->x[row]) - thg_pair_load(rows->x, low, high);
    thg_pair dy = thg_pair_all(rows->y[row]) - thg_pair_load(rows->y, low, high);
    thg_pair reach = thg_pair_all(rows->radius[row]) + thg_pair_load(rows->radius, low, high);
    thg_pair_mask hit = thg_pair_less(there, dx * dx + dy * dy, reach * reach);
    int at = count < THG_FOUND_MOST ? count : THG_FOUND_MOST;
    return thg_pair_note(hit, low, high, row, THG_PAIR_LANE, second + at);
}

static int find_pairs(const thg_rows *rows, int row, const thg_ranges *ranges, uint32_t *second)
{
    const int32_t *begin = ranges->begin, *end = ranges->end;
    if (ranges->count == 3 && end[0] - begin[0] <= THG_LANES && end[1] - begin[1] <= THG_LANES &&
        end[2] - begin[2] <= THG_LANES) { // as it mostly is, without a walk
        uint32_t low = thg_pair_first(end[0] - begin[0]), high = thg_pair_first(end[1] - begin[1]);
        thg_pair_mask there = (thg_pair_mask)(low | high << THG_LANES);
        thg_pair_mask last = (thg_pair_mask)thg_pair_first(end[2] - begin[2]);
        int count = note_touching(rows, row, begin[0], begin[1], there, 0, second);
        return count + note_touching(rows, row, begin[2], begin[2], last, count, second);
    }
    int count = 0;
    pair_walk walk = {.ranges = ranges, .range = -1};
    while (next_pair(&walk)) {
        count += note_touching(rows, row, walk.low, walk.high, walk.there, count, second);
    }
    return count;
}

static const thg_kernels kernels = {
    THRONG_KERNELS_AVX512, sense_pairs, contact_lanes, sense_lanes_who,
    contact_lanes_who,     find_pairs,  push_lanes};

const thg_kernels *thg_kernels_avx512(void)
{
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return can ? &kernels : NULL;
}
#else
const thg_kernels *thg_kernels_avx512(void)
{
    return NULL;
}
#endif
