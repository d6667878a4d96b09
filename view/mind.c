/// The layers of one picked agent: its way, whom it reckoned with, and what moved it.
#include "view.h"
#include <math.h>
#include <stdlib.h>

#define VECTOR_METRES 1.5f ///< drawn for 1 m/s
#define LEAST_SPEED 0.02f  ///< m/s; shorter vectors are not drawn

bool view_way_next(const view_stage *stage, throng_goal_id goal, int class_index, throng_vec2 at,
                   throng_vec2 *next)
{
    float step = 0.5f * throng_map_cell_size(stage->map);
    throng_sample way = throng_crowd_way(stage->crowd, goal, class_index, at);
    *next = (throng_vec2){at.x + step * way.direction.x, at.y + step * way.direction.y};
    return way.reached && way.cost >= step && (next->x != at.x || next->y != at.y);
}

/// Follows what the crowd would tell the agent, step by step, to the goal.
static void draw_route(const view_stage *stage, const throng_agents_view *agents, int row,
                       view_lines *lines)
{
    throng_vec2 at = {agents->x[row], agents->y[row]}, next;
    int class_index = throng_crowd_profile(stage->crowd, agents->profile[row]).class_index;
    throng_goal_id goal = view_goal_of_slot(stage, agents->goal[row]);
    for (int p = 0; p < VIEW_MOST_WAY && goal.generation != 0 &&
                    view_way_next(stage, goal, class_index, at, &next);
         p++) {
        view_line(lines, at, next, 0.1f, 0.16f, (throng_colour){230, 60, 160, 255});
        at = next;
    }
}

/// Red for those who touch, orange for those on the way to a collision or in front, yellow for
/// those too near; blue for those of the flock, or that reciprocal avoidance keeps free of.
static throng_colour colour_of_reasons(uint32_t reasons)
{
    return (reasons & THRONG_HEED_TOUCH) != 0 ? (throng_colour){214, 40, 40, 255}
           : (reasons & (THRONG_HEED_AVOIDANCE | THRONG_HEED_SLOWDOWN)) != 0
               ? (throng_colour){240, 130, 30, 255}
           : (reasons & THRONG_HEED_SEPARATION) != 0 ? (throng_colour){236, 200, 40, 255}
                                                     : (throng_colour){60, 110, 220, 255};
}

static void draw_neighbours(const view_stage *stage, const throng_agents_view *agents, int row,
                            view_lines *lines)
{
    enum { MOST = 512 };
    throng_heeded *heeded = malloc(MOST * sizeof *heeded);
    int count =
        heeded != NULL ? throng_crowd_heeded(stage->crowd, agents->id[row], heeded, MOST) : 0;
    throng_vec2 at = {agents->x[row], agents->y[row]};
    for (int i = 0; i < count && i < MOST; i++) {
        int other = throng_crowd_find(stage->crowd, heeded[i].agent);
        if (other >= 0) {
            throng_vec2 there = {agents->x[other], agents->y[other]};
            throng_colour ink = colour_of_reasons(heeded[i].reasons);
            view_line(lines, at, there, 0.9f, 0.05f, ink);
            view_ring(lines, there, agents->radius[other] + 0.1f, 0.08f, 0.08f, ink);
        }
    }
    free(heeded);
}

throng_colour view_colour_of_motive(throng_motive motive)
{
    switch (motive) {
    case THRONG_MOTIVE_WAY:
    case THRONG_MOTIVE_ORDER:
    case THRONG_MOTIVE_SLOT:
        return (throng_colour){40, 150, 90, 255}; // where it is to go
    case THRONG_MOTIVE_ALIGNMENT:
    case THRONG_MOTIVE_COHESION:
    case THRONG_MOTIVE_SPACING:
    case THRONG_MOTIVE_SWERVE:
        return (throng_colour){60, 110, 220, 255}; // the flock
    case THRONG_MOTIVE_LOOKOUT:
    case THRONG_MOTIVE_WALL_PUSH:
    case THRONG_MOTIVE_SLIDE:
        return (throng_colour){130, 84, 40, 255}; // walls
    case THRONG_MOTIVE_GATE:
    case THRONG_MOTIVE_STATE:
    case THRONG_MOTIVE_SLOWDOWN:
        return (throng_colour){236, 190, 30, 255}; // waiting and slowing down
    case THRONG_MOTIVE_AVOIDANCE:
    case THRONG_MOTIVE_ORCA:
        return (throng_colour){240, 130, 30, 255}; // before a collision
    case THRONG_MOTIVE_SEPARATION:
    case THRONG_MOTIVE_SHOVE:
    case THRONG_MOTIVE_CONTACT:
        return (throng_colour){214, 40, 40, 255}; // too near
    default:
        return (throng_colour){120, 120, 128, 255}; // what the body allows
    }
}

static void draw_vector(view_lines *lines, throng_vec2 at, throng_vec2 v, float height, float width,
                        throng_colour ink)
{
    float speed = hypotf(v.x, v.y);
    if (!(speed >= LEAST_SPEED)) {
        return;
    }
    throng_vec2 end = {at.x + VECTOR_METRES * v.x, at.y + VECTOR_METRES * v.y};
    float back = 0.18f + width, ahead_x = v.x / speed, ahead_y = v.y / speed;
    view_line(lines, at, end, height, width, ink);
    for (int side = -1; side <= 1; side += 2) {
        throng_vec2 barb = {end.x - back * (ahead_x - 0.6f * (float)side * ahead_y),
                            end.y - back * (ahead_y + 0.6f * (float)side * ahead_x)};
        view_line(lines, end, barb, height, width, ink);
    }
}

/// Every term of the last substep, and the way made: the sum of them.
static void draw_motives(const view_stage *stage, const throng_agents_view *agents, int row,
                         view_lines *lines)
{
    throng_motives motives;
    if (!throng_crowd_explain(stage->crowd, agents->id[row], &motives)) {
        return;
    }
    throng_vec2 at = {agents->x[row], agents->y[row]};
    draw_vector(lines, at, motives.went, 1.9f, 0.14f, (throng_colour){20, 20, 24, 255});
    for (int i = 0; i < THRONG_MOTIVE_COUNT; i++) {
        draw_vector(lines, at, motives.terms[i], 2.0f, 0.07f,
                    view_colour_of_motive((throng_motive)i));
    }
}

void view_draw_mind(const view_stage *stage, uint32_t layers, int pick, view_lines *lines)
{
    const uint32_t own = 1u << VIEW_ROUTE | 1u << VIEW_NEIGHBOURS | 1u << VIEW_MOTIVES;
    if ((layers & own) == 0 || pick < 0 || pick >= stage->agent_count) {
        return;
    }
    throng_agents_view agents = throng_crowd_agents(stage->crowd);
    throng_vec2 at = {agents.x[pick], agents.y[pick]};
    view_ring(lines, at, agents.radius[pick] + 0.15f, 0.07f, 0.1f,
              (throng_colour){230, 60, 160, 255});
    if ((layers >> VIEW_ROUTE & 1u) != 0) {
        draw_route(stage, &agents, pick, lines);
    }
    if ((layers >> VIEW_NEIGHBOURS & 1u) != 0) {
        draw_neighbours(stage, &agents, pick, lines);
    }
    if ((layers >> VIEW_MOTIVES & 1u) != 0) {
        draw_motives(stage, &agents, pick, lines);
    }
}
