/// Half planes of walls: a wall is a segment grown by the agent's radius, and velocities that lead
/// into it within the horizon are forbidden whole: walls give way to nobody.
///
/// The edge of what is forbidden is a cut-off (the segment over the horizon, with a round end at
/// either side) and two legs, tangents to the ends. Where the wall turns, the leg of an end that
/// lies behind the next wall is that wall's business ("foreign"), and forbids nothing here.
#include "crowd/orca.h"
#include <float.h>
#include <math.h>

typedef struct vec {
    float x, y;
} vec;

static float dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y;
}

static float cross(vec a, vec b)
{
    return a.x * b.y - a.y * b.x;
}

static vec turned_left(vec a)
{
    return (vec){-a.y, a.x};
}

static vec turned_right(vec a)
{
    return (vec){a.y, -a.x};
}

static vec plus(vec a, vec b, float scale)
{
    return (vec){a.x + b.x * scale, a.y + b.y * scale};
}

/// What one wall forbids, seen from the agent; its left is the wall's beginning.
typedef struct cone {
    vec left_end, right_end; ///< over the horizon: m/s
    vec left_leg, right_leg; ///< unit
    bool left_foreign, right_foreign;
    bool round; ///< both ends are one
} cone;

static void add(thg_orca_planes *planes, vec normal, float b)
{
    planes->nx[planes->count] = normal.x;
    planes->ny[planes->count] = normal.y;
    planes->b[planes->count] = b;
    planes->count++;
}

/// A tangent from the origin to a disc, as a unit vector: to its left (side 1) or right (-1).
static vec tangent(vec center, float radius, float side)
{
    float square = dot(center, center);
    float length = square > radius * radius ? sqrtf(square - radius * radius) : 0.0f;
    vec aside = turned_left(center);
    vec along = plus((vec){center.x * length, center.y * length}, aside, side * radius);
    return (vec){along.x / square, along.y / square};
}

static bool is_covered(const thg_orca_planes *planes, vec a, vec b, float radius, float rate)
{
    for (int i = 0; i < planes->count; i++) {
        vec normal = {planes->nx[i], planes->ny[i]};
        float room = planes->b[i] - radius * rate + 1e-5f;
        if (dot(normal, a) * rate <= room && dot(normal, b) * rate <= room) {
            return true;
        }
    }
    return false;
}

/// The half plane at the point of the cone's edge that is nearest to the velocity.
static void add_nearest_edge(const cone *cone, vec wall, vec v, float reach,
                             thg_orca_planes *planes)
{
    vec span = plus(cone->right_end, cone->left_end, -1.0f);
    vec from_left = plus(v, cone->left_end, -1.0f), from_right = plus(v, cone->right_end, -1.0f);
    float along = cone->round ? 0.5f : dot(from_left, span) / dot(span, span);
    float on_left = dot(from_left, cone->left_leg), on_right = dot(from_right, cone->right_leg);
    bool before =
        (along < 0.0f && on_left < 0.0f) || (cone->round && on_left < 0.0f && on_right < 0.0f);
    bool behind = along > 1.0f && on_right < 0.0f;
    if (before || behind) {
        vec from = before ? from_left : from_right;
        vec end = before ? cone->left_end : cone->right_end;
        float length = sqrtf(dot(from, from));
        vec normal = length > 1e-9f ? (vec){from.x / length, from.y / length} : turned_right(wall);
        add(planes, normal, dot(normal, end) + reach);
        return;
    }
    float cut = FLT_MAX, left = FLT_MAX, right = FLT_MAX;
    if (!cone->round && along >= 0.0f && along <= 1.0f) {
        vec off = plus(from_left, span, -along);
        cut = dot(off, off);
    }
    if (on_left >= 0.0f) {
        vec off = plus(from_left, cone->left_leg, -on_left);
        left = dot(off, off);
    }
    if (on_right >= 0.0f) {
        vec off = plus(from_right, cone->right_leg, -on_right);
        right = dot(off, off);
    }
    if (cut <= left && cut <= right) {
        vec normal = turned_right(wall);
        add(planes, normal, dot(normal, cone->left_end) + reach);
    } else if (left <= right && !cone->left_foreign) {
        vec normal = turned_left(cone->left_leg);
        add(planes, normal, dot(normal, cone->left_end) + reach);
    } else if (right < left && !cone->right_foreign) {
        vec normal = turned_right(cone->right_leg);
        add(planes, normal, dot(normal, cone->right_end) + reach);
    }
}

/// The direction of the edge before a wall (side -1) or after it (1).
static vec beside(vec wall, int turn, int side)
{
    return turn == 0 ? wall : turn * side > 0 ? turned_left(wall) : turned_right(wall);
}

static void add_wall(const thg_orca_agent *agent, float rate, const thg_orca_wall *given,
                     thg_orca_planes *planes)
{
    vec a = {given->ax - agent->x, given->ay - agent->y};
    vec b = {given->bx - agent->x, given->by - agent->y};
    vec span = plus(b, a, -1.0f);
    float length = sqrtf(dot(span, span)), radius = agent->radius;
    if (!(length > 0.0f) || is_covered(planes, a, b, radius, rate)) {
        return;
    }
    vec wall = {span.x / length, span.y / length};
    float along = -dot(a, wall), distance = -dot(a, turned_right(wall));
    int turn_a = given->turn_a, turn_b = given->turn_b;
    vec before = beside(wall, turn_a, -1), after = beside(wall, turn_b, 1);
    bool past_a = along<0.0f, past_b = along> length;
    // In touch already: not a bit nearer.
    vec end = past_a ? a : b;
    float square = dot(end, end);
    if (!past_a && !past_b && distance <= radius) {
        add(planes, turned_right(wall), 0.0f);
        return;
    }
    if ((past_a || past_b) && square <= radius * radius) {
        if ((past_a ? turn_a : turn_b) >= 0 && square > 0.0f) {
            float scale = -1.0f / sqrtf(square);
            add(planes, (vec){end.x * scale, end.y * scale}, 0.0f);
        }
        return;
    }
    // Seen from the end, the wall is that end.
    bool round = distance <= radius;
    if (round && (past_a ? turn_a : turn_b) < 0) {
        return;
    }
    if (round && past_a) {
        b = a;
        after = wall;
        turn_b = turn_a;
    } else if (round) {
        a = b;
        before = wall;
        turn_a = turn_b;
    }
    cone cone = {.left_end = {a.x * rate, a.y * rate},
                 .right_end = {b.x * rate, b.y * rate},
                 .left_leg = turn_a >= 0 ? tangent(a, radius, 1.0f) : (vec){-wall.x, -wall.y},
                 .right_leg = turn_b >= 0 ? tangent(b, radius, -1.0f) : wall,
                 .round = round};
    vec back = {-before.x, -before.y};
    if (turn_a >= 0 && cross(cone.left_leg, back) >= 0.0f) {
        cone.left_leg = back;
        cone.left_foreign = true;
    }
    if (turn_b >= 0 && cross(cone.right_leg, after) <= 0.0f) {
        cone.right_leg = after;
        cone.right_foreign = true;
    }
    add_nearest_edge(&cone, wall, (vec){agent->vx, agent->vy}, radius * rate, planes);
}

static float squared_distance(const thg_orca_agent *agent, const thg_orca_wall *wall)
{
    vec a = {wall->ax - agent->x, wall->ay - agent->y};
    vec span = {wall->bx - wall->ax, wall->by - wall->ay};
    float square = dot(span, span);
    float t = square > 0.0f ? -dot(a, span) / square : 0.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    vec off = plus(a, span, t);
    return dot(off, off);
}

void thg_orca_wall_planes(const thg_orca_agent *agent, float horizon, thg_orca_wall *walls,
                          int count, thg_orca_planes *planes)
{
    planes->count = 0;
    for (int i = 1; i < count; i++) { // nearest first, as they came where equal
        thg_orca_wall wall = walls[i];
        float square = squared_distance(agent, &wall);
        int j = i;
        for (; j > 0 && squared_distance(agent, &walls[j - 1]) > square; j--) {
            walls[j] = walls[j - 1];
        }
        walls[j] = wall;
    }
    for (int i = 0; i < count && planes->count < THG_ORCA_WALLS; i++) {
        add_wall(agent, 1.0f / horizon, &walls[i], planes);
    }
    planes->walls = planes->count;
}
