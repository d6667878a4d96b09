/// Steering orders: what each pulls towards (Reynolds, Steering Behaviors For Autonomous
/// Characters, 1999), and the table that holds them by slot.
///
/// An order reads places and velocities as the last substep left them, and its agent's row alone is
/// written; so no order of agents shows. Wandering draws numbers by (seed, second, slot).
#include "crowd/flock.h"
#include "crowd/planet.h"
#include <float.h>
#include <math.h>

#define STEER_COOKIE 0x53544552u
#define WANDER_SALT 0x77616e64u

throng_steer_def throng_default_steer_def(void)
{
    return (throng_steer_def){
        .cookie = STEER_COOKIE, .radius = 0.5f, .weight = 1.0f, .wall_weight = 1.0f};
}

const char *throng_steer_kind_name(throng_steer_kind kind)
{
    static const char *const names[] = {"none",   "seek",  "flee",   "arrive",
                                        "pursue", "evade", "follow", "wander"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

// ---- The table --------------------------------------------------------------------------------

bool thg_steer_is_valid(const thg_steer *steer)
{
    bool needs_agent = steer->kind == THRONG_STEER_PURSUE || steer->kind == THRONG_STEER_EVADE ||
                       steer->kind == THRONG_STEER_FOLLOW;
    return steer->kind <= THRONG_STEER_WANDER && thg_is_finite(steer->x) &&
           thg_is_finite(steer->y) && steer->radius >= 0.0f && steer->radius <= 1000.0f &&
           steer->weight >= 0.0f && steer->weight <= 4.0f && steer->wall_weight >= 0.0f &&
           steer->wall_weight <= 4.0f && (!needs_agent || steer->target != 0) &&
           (steer->kind != THRONG_STEER_WANDER || steer->target == 0);
}

throng_result thg_steers_need(throng_crowd *crowd)
{
    if (crowd->steers == NULL) {
        crowd->steers = thg_allocate((size_t)crowd->def.max_agents + 1, sizeof *crowd->steers);
    }
    return crowd->steers != NULL ? THRONG_OK : THRONG_NO_MEMORY;
}

thg_steer thg_steer_of(const thg_command *command)
{
    return (thg_steer){.kind = command->steer,
                       .target = command->target,
                       .target_generation = command->target_generation,
                       .x = command->x,
                       .y = command->y,
                       .radius = command->radius,
                       .weight = command->weight,
                       .wall_weight = command->wall_weight};
}

void thg_steer_put(throng_crowd *crowd, uint32_t slot, const thg_steer *steer)
{
    crowd->steers[slot] = *steer;
    crowd->steers_used = crowd->steers_used || steer->kind != THRONG_STEER_NONE;
    crowd->steers_aim = crowd->steers_aim || steer->target != 0;
}

throng_steer_def throng_crowd_get_steer(const throng_crowd *crowd, throng_agent_id agent)
{
    throng_steer_def def = throng_default_steer_def();
    if (crowd->steers == NULL || thg_agents_row(crowd, agent.slot, agent.generation) < 0) {
        return def;
    }
    const thg_steer *steer = &crowd->steers[agent.slot];
    if (steer->kind != THRONG_STEER_NONE) {
        def.kind = (throng_steer_kind)steer->kind;
        def.agent = (throng_agent_id){steer->target, steer->target_generation};
        def.point = (throng_vec2){steer->x, steer->y};
        def.radius = steer->radius;
        def.weight = steer->weight;
        def.wall_weight = steer->wall_weight;
    }
    return def;
}

// ---- Behaviours -------------------------------------------------------------------------------

/// Whom or what an order is about, as its agent sees it.
typedef struct aim {
    float x, y, vx, vy;   ///< metres and m/s; on a planet seen from the agent
    float from_x, from_y; ///< where the agent is
    float dx, dy, distance;
} aim;

static void point_aim(aim *aim, float x, float y)
{
    aim->x = x;
    aim->y = y;
    aim->dx = x - aim->from_x;
    aim->dy = y - aim->from_y;
    aim->distance = sqrtf(aim->dx * aim->dx + aim->dy * aim->dy);
}

/// False when it is about an agent that is gone.
static bool take_aim(const throng_crowd *crowd, const thg_steer *steer, int row, aim *aim)
{
    const thg_columns *columns = &crowd->columns;
    float x = steer->x, y = steer->y;
    aim->vx = aim->vy = 0.0f;
    if (steer->target != 0) {
        int target = thg_agents_row(crowd, steer->target, steer->target_generation);
        if (target < 0) {
            return false;
        }
        x = columns->x[target];
        y = columns->y[target];
        aim->vx = columns->vx[target];
        aim->vy = columns->vy[target];
    }
    aim->from_x = columns->x[row];
    aim->from_y = columns->y[row];
    if (crowd->derived.spots != NULL) {
        throng_vec2 way = thg_seen_from(crowd, row, x, y);
        thg_spot there = thg_planet_spot(crowd->map->planet, x, y);
        thg_spot_carry(&there, &crowd->derived.spots[row], &aim->vx, &aim->vy);
        aim->from_x = aim->from_y = 0.0f;
        x = way.x;
        y = way.y;
    }
    point_aim(aim, x, y);
    return true;
}

/// At a share of full speed in the direction of the aim; `share` below 0: away from it.
static thg_pull pull_along(const throng_crowd *crowd, int row, const aim *aim, float share)
{
    if (aim->distance * aim->distance > THG_COINCIDENT) {
        float scale = share / aim->distance;
        return (thg_pull){aim->dx * scale, aim->dy * scale, share < 0.0f ? FLT_MAX : aim->distance};
    }
    if (share < 0.0f) { // on the very spot: anywhere else
        float x, y;
        thg_own_direction(0, crowd->columns.slot[row], &x, &y);
        return (thg_pull){-share * x, -share * y, FLT_MAX};
    }
    return (thg_pull){0.0f, 0.0f, 0.0f};
}

/// The share of full speed from which one still comes to rest within a distance; near the end in
/// proportion to it, so that nobody trembles about the place.
static float braked(const throng_profile_def *profile, float distance, float speed)
{
    float brake =
        profile->acceleration < THG_ARRIVE_BRAKE ? profile->acceleration : THG_ARRIVE_BRAKE;
    float most = sqrtf(2.0f * brake * distance);
    most = most < THG_CLOSE_RATE * distance ? most : THG_CLOSE_RATE * distance;
    return most < speed ? most / speed : 1.0f;
}

/// Seconds until one who keeps his velocity can be met at a speed: the lesser root of
/// |d + v t| = s t; when he is too fast for that, as long as the way to him takes.
static float meeting_time(const aim *aim, float speed)
{
    float a = speed * speed - (aim->vx * aim->vx + aim->vy * aim->vy);
    float b = aim->dx * aim->vx + aim->dy * aim->vy;
    float c = aim->distance * aim->distance;
    float time = aim->distance / speed;
    if (a > THG_LEAST_CLOSING) {
        time = (b + sqrtf(b * b + a * c)) / a;
    }
    return time < THG_MOST_FORESIGHT ? time : THG_MOST_FORESIGHT;
}

static void look_ahead(aim *aim, float time)
{
    point_aim(aim, aim->x + aim->vx * time, aim->y + aim->vy * time);
}

/// To the place behind the aim, with its speed once it is reached; beside one that stands, where
/// the distance is right.
static thg_pull follow(const throng_crowd *crowd, int row, const thg_steer *steer, const aim *aim,
                       float speed)
{
    const throng_profile_def *profile = &crowd->profiles[crowd->columns.profile[row]].def;
    float pace = sqrtf(aim->vx * aim->vx + aim->vy * aim->vy);
    float back_x = -aim->dx, back_y = -aim->dy, back = aim->distance;
    if (pace > THG_FOLLOW_PACE) {
        back_x = -aim->vx;
        back_y = -aim->vy;
        back = pace;
    }
    struct aim place = *aim;
    if (back > THG_CRAWL) {
        point_aim(&place, aim->x + back_x * (steer->radius / back),
                  aim->y + back_y * (steer->radius / back));
    }
    thg_pull pull = pull_along(crowd, row, &place, braked(profile, place.distance, speed));
    pull.x += aim->vx / speed;
    pull.y += aim->vy / speed;
    thg_limit_length(&pull.x, &pull.y, 1.0f);
    return pull;
}

float thg_wander_turn(const throng_crowd *crowd, uint32_t slot)
{
    double periods = crowd->time * (1.0 / THG_WANDER_PERIOD);
    uint64_t period = (uint64_t)periods;
    float part = (float)(periods - (double)period);
    part = part * part * (3.0f - 2.0f * part);
    float from = thg_random(crowd->def.seed ^ WANDER_SALT, period, slot);
    float to = thg_random(crowd->def.seed ^ WANDER_SALT, period + 1, slot);
    return 2.0f * (from + (to - from) * part) - 1.0f;
}

/// Where it is headed, turned a little; and back, when it has strayed.
static thg_pull wander(const throng_crowd *crowd, int row, const thg_steer *steer, const aim *aim,
                       float dt)
{
    const thg_columns *columns = &crowd->columns;
    float x = columns->vx[row], y = columns->vy[row];
    float size = sqrtf(x * x + y * y);
    if (size > THG_CRAWL) {
        x /= size;
        y /= size;
    } else {
        thg_own_direction(0, columns->slot[row], &x, &y);
    }
    float turn = thg_wander_turn(crowd, columns->slot[row]) * THG_WANDER_RATE * dt;
    thg_pull pull = {x - y * turn, y + x * turn, FLT_MAX};
    if (steer->radius > 0.0f && aim->distance > steer->radius) {
        float scale = (aim->distance - steer->radius) / (steer->radius * aim->distance);
        pull.x += aim->dx * scale;
        pull.y += aim->dy * scale;
    }
    size = sqrtf(pull.x * pull.x + pull.y * pull.y);
    if (size > THG_CRAWL) {
        pull.x /= size;
        pull.y /= size;
    }
    return pull;
}

thg_pull thg_steer_pull(const throng_crowd *crowd, int row, float speed, float dt)
{
    const thg_steer *steer = &crowd->steers[crowd->columns.slot[row]];
    const throng_profile_def *profile = &crowd->profiles[crowd->columns.profile[row]].def;
    const thg_pull none = {0.0f, 0.0f, FLT_MAX};
    aim aim;
    if (!take_aim(crowd, steer, row, &aim)) {
        return none; // the arrivals end the order
    }
    bool near = aim.distance <= steer->radius;
    switch ((throng_steer_kind)steer->kind) {
    case THRONG_STEER_SEEK:
        return near ? none : pull_along(crowd, row, &aim, 1.0f);
    case THRONG_STEER_FLEE:
        return near || steer->radius == 0.0f ? pull_along(crowd, row, &aim, -1.0f) : none;
    case THRONG_STEER_ARRIVE:
        return pull_along(crowd, row, &aim, braked(profile, aim.distance, speed));
    case THRONG_STEER_PURSUE:
        look_ahead(&aim, meeting_time(&aim, speed));
        return near ? none : pull_along(crowd, row, &aim, 1.0f);
    case THRONG_STEER_EVADE: {
        float time = aim.distance / speed;
        look_ahead(&aim, time < THG_EVADE_FORESIGHT ? time : THG_EVADE_FORESIGHT);
        return near || steer->radius == 0.0f ? pull_along(crowd, row, &aim, -1.0f) : none;
    }
    case THRONG_STEER_FOLLOW:
        return follow(crowd, row, steer, &aim, speed);
    case THRONG_STEER_WANDER:
        return wander(crowd, row, steer, &aim, dt);
    default:
        return none;
    }
}

bool thg_steer_is_over(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    const thg_steer *steer = &crowd->steers[columns->slot[row]];
    aim aim;
    if (!take_aim(crowd, steer, row, &aim)) {
        return true;
    }
    float vx = columns->vx[row] - aim.vx, vy = columns->vy[row] - aim.vy;
    float near = steer->radius > THG_AT_HOME ? steer->radius : THG_AT_HOME;
    return steer->kind == THRONG_STEER_ARRIVE && aim.distance <= near &&
           (aim.distance <= THG_AT_HOME || vx * vx + vy * vy <= THG_COME_TO_REST * THG_AT_REST);
}
