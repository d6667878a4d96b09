/// The stage: a world, and the little that a picture needs beyond it: how far each has walked,
/// where each faces, and how each is dressed.
#include "view.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

throng_result view_fail(throng_error *error, const char *format, ...)
{
    memset(error, 0, sizeof *error);
    error->result = THRONG_BAD_ARGUMENT;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return THRONG_BAD_ARGUMENT;
}

static const char *const figure_names[THRONG_FIGURE_COUNT] = {"person", "soldier", "big", "zombie"};

/// Figures as named, profile by profile; the last one named goes for the rest.
static throng_result read_figures(view_stage *stage, const char *names, throng_error *error)
{
    int profile = 0, count = throng_crowd_profile_count(stage->crowd);
    throng_figure last = THRONG_FIGURE_PERSON;
    while (*names != '\0') {
        size_t length = strcspn(names, ",");
        int figure = 0;
        while (figure < THRONG_FIGURE_COUNT &&
               (strlen(figure_names[figure]) != length ||
                strncmp(names, figure_names[figure], length) != 0)) {
            figure++;
        }
        if (figure == THRONG_FIGURE_COUNT) {
            return view_fail(error, "expected person, soldier, big or zombie, found '%.*s'",
                             (int)length, names);
        }
        last = (throng_figure)figure;
        if (profile < count) {
            stage->figures[profile++] = last;
        }
        names += length + (names[length] == ',');
    }
    while (profile < count) {
        stage->figures[profile++] = last;
    }
    return THRONG_OK;
}

/// What nobody said: the big are big, and where there are enemies all are soldiers.
static void guess_looks(view_stage *stage)
{
    int profiles = throng_crowd_profile_count(stage->crowd);
    bool enemies = false;
    for (int a = 0; a < THRONG_MAX_TEAMS; a++) {
        for (int b = a + 1; b < THRONG_MAX_TEAMS; b++) {
            enemies = enemies || throng_crowd_relation(stage->crowd, a, b) == THRONG_ENEMY;
        }
    }
    for (int i = 0; i < profiles; i++) {
        float radius = throng_crowd_profile(stage->crowd, i).radius;
        stage->figures[i] = radius >= 0.7f ? THRONG_FIGURE_BIG
                            : enemies      ? THRONG_FIGURE_SOLDIER
                                           : THRONG_FIGURE_PERSON;
    }
    throng_agents_view agents = throng_crowd_agents(stage->crowd);
    bool teams = false;
    for (int i = 0; i < agents.count; i++) {
        teams = teams || agents.team[i] != agents.team[0];
    }
    stage->colours = stage->plain_colours = teams ? VIEW_BY_TEAM : VIEW_CLOTHES;
}

/// A world of the stage's scene, or of nothing when that could not be read.
static throng_result open_world(view_stage *stage, const view_options *options,
                                throng_result result, throng_error *error)
{
    throng_world_options wanted = throng_default_world_options();
    wanted.threads = options->threads;
    wanted.measure_every = 0;
    wanted.spare_agents = options->spare_agents;
    wanted.spare_goals = options->spare_agents > 0 ? VIEW_MAX_GOALS : 0;
    if (result == THRONG_OK) {
        result = throng_world_create(stage->scene, &wanted, &stage->world, error);
    }
    if (result == THRONG_OK) {
        stage->crowd = throng_world_crowd(stage->world);
        stage->map = throng_world_map(stage->world);
        if (throng_map_planet(stage->map) != NULL) {
            view_fail(error, "the viewer shows flat maps; throng run draws planets");
            result = error->result = THRONG_BAD_ARGUMENT;
        }
    }
    if (result == THRONG_OK) {
        stage->dt = throng_scene_dt(stage->scene);
        // Notes are for one agent at a time; a crowd that nobody can pick from needs none.
        throng_crowd_take_notes(stage->crowd, true);
        throng_world_step(stage->world); // now the agents are there
        if (throng_crowd_agents(stage->crowd).count > VIEW_MOST_NOTED) {
            throng_crowd_take_notes(stage->crowd, false);
        }
        guess_looks(stage);
        if (options->figures != NULL) {
            result = read_figures(stage, options->figures, error);
        }
    }
    stage->ways = view_ways_open();
    if (result == THRONG_OK &&
        !(stage->ways != NULL && view_stage_look(stage) && view_stage_look(stage))) {
        view_fail(error, "no memory for the agents");
        result = error->result = THRONG_NO_MEMORY;
    }
    if (result != THRONG_OK) {
        view_stage_close(stage);
    }
    return result;
}

throng_result view_stage_open(view_stage *stage, const view_options *options, throng_error *error)
{
    memset(stage, 0, sizeof *stage);
    return open_world(stage, options, throng_scene_load(options->scene, &stage->scene, error),
                      error);
}

throng_goal_id view_shown_goal(const view_stage *stage)
{
    return stage->put_count > 0 ? stage->put[stage->put_count - 1].id
                                : throng_world_goal_at(stage->world, 0, NULL, NULL);
}

throng_goal_id view_goal_of_slot(const view_stage *stage, int slot)
{
    for (int i = 0; i < stage->put_count; i++) {
        if ((int)stage->put[i].id.slot == slot) {
            return stage->put[i].id;
        }
    }
    for (int i = 0; i < throng_world_goal_count(stage->world); i++) {
        throng_goal_id goal = throng_world_goal_at(stage->world, i, NULL, NULL);
        if ((int)goal.slot == slot) {
            return goal;
        }
    }
    return (throng_goal_id){0, 0};
}

void view_stage_close(view_stage *stage)
{
    view_ways_close(stage->ways); // it looks at the world's map
    throng_world_destroy(stage->world);
    throng_scene_destroy(stage->scene);
    free(stage->agents);
    free(stage->walks);
    memset(stage, 0, sizeof *stage);
}

/// A number that stays with an agent: mixed bits of its slot.
static uint32_t seed_of(uint32_t slot)
{
    uint32_t bits = slot * 2654435769u + 1013904223u;
    bits ^= bits >> 16;
    bits *= 2246822519u;
    bits ^= bits >> 13;
    bits *= 3266489917u;
    return bits ^ bits >> 16;
}

static uint32_t pack(throng_colour colour)
{
    return (uint32_t)colour.r | (uint32_t)colour.g << 8 | (uint32_t)colour.b << 16 | 0xff000000u;
}

/// Clothes as a street has them: mostly quiet, a few bright.
static throng_colour clothes(uint32_t seed)
{
    static const throng_colour wardrobe[16] = {
        {58, 84, 120, 255},   {196, 74, 60, 255},   {224, 168, 72, 255},  {84, 120, 96, 255},
        {232, 226, 214, 255}, {52, 56, 66, 255},    {146, 98, 74, 255},   {104, 150, 178, 255},
        {188, 118, 138, 255}, {74, 66, 98, 255},    {214, 202, 176, 255}, {150, 62, 70, 255},
        {62, 128, 130, 255},  {120, 124, 132, 255}, {230, 124, 64, 255},  {176, 186, 150, 255}};
    return wardrobe[seed >> 24 & 15u];
}

static throng_colour colour_of(const view_stage *stage, const throng_agents_view *agents, int row,
                               uint32_t seed)
{
    static const throng_colour contacts[3] = {
        {236, 236, 232, 255}, {244, 196, 48, 255}, {220, 52, 44, 255}};
    static const throng_colour sides[6] = {{44, 104, 190, 255}, {206, 62, 52, 255},
                                           {70, 150, 92, 255},  {228, 164, 50, 255},
                                           {130, 86, 170, 255}, {60, 160, 170, 255}};
    switch (stage->colours) {
    case VIEW_BY_TEAM:
        return sides[agents->team[row] % 6];
    case VIEW_BY_STATUS:
        return throng_colour_of_status((throng_status)agents->status[row]);
    case VIEW_BY_CONTACT:
        return contacts[agents->contact[row] % 3];
    case VIEW_ALL_RED:
        return (throng_colour){214, 48, 40, 255};
    case VIEW_CLOTHES:
        break;
    }
    return clothes(seed);
}

static bool make_room(view_stage *stage, const throng_agents_view *agents)
{
    size_t slots = stage->walk_count;
    for (int i = 0; i < agents->count; i++) {
        size_t slot = agents->id[i].slot;
        slots = slot >= slots ? slot + slot / 2 + 64 : slots;
    }
    if (slots > stage->walk_count) {
        view_walk *walks = realloc(stage->walks, slots * sizeof *walks);
        if (walks == NULL) {
            return false;
        }
        memset(walks + stage->walk_count, 0, (slots - stage->walk_count) * sizeof *walks);
        stage->walks = walks;
        stage->walk_count = slots;
    }
    if (agents->count > stage->capacity) {
        size_t capacity = (size_t)agents->count + (size_t)agents->count / 2;
        throng_drawn_agent *drawn = realloc(stage->agents, capacity * sizeof *drawn);
        if (drawn == NULL) {
            return false;
        }
        stage->agents = drawn;
        stage->capacity = (int)capacity;
    }
    return true;
}

/// Turns towards where it goes, at most a quarter turn in a fifth of a second.
static float turned(float heading, float vx, float vy, float dt)
{
    if (vx * vx + vy * vy < 0.04f) {
        return heading;
    }
    const float round = 6.2831853f, most = 7.9f * dt;
    float turn = atan2f(vy, vx) - heading;
    turn -= round * floorf(turn / round + 0.5f);
    return heading + fminf(fmaxf(turn, -most), most);
}

static void look_at(view_stage *stage, const throng_agents_view *agents, int row)
{
    throng_agent_id id = agents->id[row];
    view_walk *walk = &stage->walks[id.slot];
    float x = agents->x[row], y = agents->y[row], vx = agents->vx[row], vy = agents->vy[row];
    uint32_t seed = seed_of(id.slot);
    float dx = x - walk->x, dy = y - walk->y, moved = sqrtf(dx * dx + dy * dy);
    // One who is new, or was put elsewhere, appears there and does not fly in.
    if (walk->generation != id.generation || moved > 40.0f * stage->dt + 1.0f) {
        *walk = (view_walk){x, y, vx * vx + vy * vy > 1e-4f ? atan2f(vy, vx) : 0.0f,
                            (float)(seed >> 16 & 255u) * 0.01f, id.generation};
        moved = 0.0f;
    }
    throng_drawn_agent *out = &stage->agents[row];
    *out = (throng_drawn_agent){.last_x = walk->x,
                                .last_y = walk->y,
                                .last_heading = walk->heading,
                                .last_walked = walk->walked,
                                .radius = agents->radius[row],
                                .figure = (uint32_t)stage->figures[agents->profile[row]],
                                .seed = seed};
    walk->x = x;
    walk->y = y;
    walk->heading = turned(walk->heading, vx, vy, stage->dt);
    walk->walked += moved;
    out->x = x;
    out->y = y;
    out->heading = walk->heading;
    out->walked = walk->walked;
    out->tint = pack(colour_of(stage, agents, row, seed));
}

bool view_stage_look(view_stage *stage)
{
    throng_agents_view agents = throng_crowd_agents(stage->crowd);
    if (!make_room(stage, &agents)) {
        return false;
    }
    for (int i = 0; i < agents.count; i++) {
        look_at(stage, &agents, i);
    }
    stage->agent_count = agents.count;
    return true;
}

void view_stage_recolour(view_stage *stage)
{
    throng_agents_view agents = throng_crowd_agents(stage->crowd);
    for (int i = 0; i < agents.count && i < stage->agent_count; i++) {
        stage->agents[i].tint = pack(colour_of(stage, &agents, i, stage->agents[i].seed));
    }
}

bool view_stage_step(view_stage *stage)
{
    throng_world_step(stage->world);
    return view_stage_look(stage);
}
