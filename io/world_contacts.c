/// Overlap of agents and depth in walls, measured from the crowd's view with bins of its own: what
/// is checked must not rest on what does the work.
#include "world_model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BINS (1 << 22)

bool thg_contacts_create(throng_world *world)
{
    thg_contacts *contacts = &world->contacts;
    float cell = throng_map_cell_size(world->map), most = 0.0f;
    float width = (float)throng_map_width(world->map) * cell;
    float height = (float)throng_map_height(world->map) * cell;
    for (int i = 0; i < world->model->profile_count; i++) {
        most = fmaxf(most, world->model->profiles[i].def.radius);
    }
    contacts->size = 2.0f * most;
    while ((width / contacts->size + 1.0f) * (height / contacts->size + 1.0f) > (float)MAX_BINS) {
        contacts->size *= 1.5f;
    }
    contacts->origin = throng_map_origin(world->map);
    contacts->width = (int)(width / contacts->size) + 1;
    contacts->height = (int)(height / contacts->size) + 1;
    contacts->distance = INFINITY;
    contacts->worst_distance = INFINITY;
    size_t bins = (size_t)contacts->width * (size_t)contacts->height;
    contacts->start = malloc((bins + 1) * sizeof *contacts->start);
    contacts->order = malloc(((size_t)world->max_agents + 1) * sizeof *contacts->order);
    return contacts->start != NULL && contacts->order != NULL;
}

void thg_contacts_destroy(throng_world *world)
{
    free(world->contacts.start);
    free(world->contacts.order);
    world->contacts.start = NULL;
    world->contacts.order = NULL;
}

static int bin_along(float offset, float size, int count)
{
    float scaled = offset / size;
    return scaled > 0.0f ? (scaled < (float)count ? (int)scaled : count - 1) : 0;
}

static int bin_of(const thg_contacts *contacts, float x, float y)
{
    return bin_along(y - contacts->origin.y, contacts->size, contacts->height) * contacts->width +
           bin_along(x - contacts->origin.x, contacts->size, contacts->width);
}

static bool is_finite(float value)
{
    return value - value == 0.0f;
}

/// Counting sort of the rows by bin; rows that are not finite stay out. Returns how many are in.
static int fill_bins(thg_contacts *contacts, const throng_agents_view *agents, int capacity)
{
    size_t bins = (size_t)contacts->width * (size_t)contacts->height;
    int count = 0;
    memset(contacts->start, 0, (bins + 1) * sizeof *contacts->start);
    for (int i = 0; i < agents->count && i < capacity; i++) {
        bool finite = is_finite(agents->x[i]) && is_finite(agents->y[i]) &&
                      is_finite(agents->vx[i]) && is_finite(agents->vy[i]);
        contacts->not_finite += !finite;
        if (finite) {
            contacts->start[bin_of(contacts, agents->x[i], agents->y[i]) + 1]++;
            count++;
        }
    }
    for (size_t i = 0; i < bins; i++) {
        contacts->start[i + 1] += contacts->start[i];
    }
    for (int i = agents->count - 1; i >= 0; i--) {
        if (i < capacity && is_finite(agents->x[i]) && is_finite(agents->y[i]) &&
            is_finite(agents->vx[i]) && is_finite(agents->vy[i])) {
            // Filled from the end: afterwards start[bin + 1] is where the bin begins.
            contacts->order[--contacts->start[bin_of(contacts, agents->x[i], agents->y[i]) + 1]] =
                i;
        }
    }
    return count;
}

void thg_contacts_take_pair(thg_contacts *contacts, float distance, float reach, float smaller)
{
    contacts->distance = fminf(contacts->distance, distance);
    contacts->overlap = fmax(contacts->overlap, ((double)reach - (double)distance) / smaller);
}

static void look_at_pair(thg_contacts *contacts, const throng_agents_view *agents, int a, int b)
{
    float dx = agents->x[a] - agents->x[b], dy = agents->y[a] - agents->y[b];
    float square = dx * dx + dy * dy, reach = agents->radius[a] + agents->radius[b];
    if (square >= reach * reach && square >= contacts->distance * contacts->distance) {
        return;
    }
    thg_contacts_take_pair(contacts, sqrtf(square), reach,
                           fminf(agents->radius[a], agents->radius[b]));
}

/// All pairs in a bin and its neighbours to the right and below, each once.
static void look_at_pairs(thg_contacts *contacts, const throng_agents_view *agents, int count)
{
    static const int beside_x[4] = {1, -1, 0, 1}, beside_y[4] = {0, 1, 1, 1};
    int bins = contacts->width * contacts->height;
    for (int bin = 0; bin < bins; bin++) {
        int first = contacts->start[bin + 1];
        int end = bin + 2 <= bins ? contacts->start[bin + 2] : count;
        for (int i = first; i < end; i++) {
            for (int k = i + 1; k < end; k++) {
                look_at_pair(contacts, agents, contacts->order[i], contacts->order[k]);
            }
            for (int side = 0; side < 4; side++) {
                int x = bin % contacts->width + beside_x[side];
                int y = bin / contacts->width + beside_y[side];
                if (x < 0 || x >= contacts->width || y >= contacts->height) {
                    continue;
                }
                int other = y * contacts->width + x;
                int other_end = other + 2 <= bins ? contacts->start[other + 2] : count;
                for (int k = contacts->start[other + 1]; k < other_end; k++) {
                    look_at_pair(contacts, agents, contacts->order[i], contacts->order[k]);
                }
            }
        }
    }
}

/// How deep a disc is in a wall, over its radius. The map's clearance spares most the exact look.
static void look_at_walls(throng_world *world, const throng_agents_view *agents, int row)
{
    thg_contacts *contacts = &world->contacts;
    throng_vec2 place = {agents->x[row], agents->y[row]};
    int class_index = world->model->profiles[agents->profile[row]].def.class_index;
    float radius = agents->radius[row];
    int x, y;
    if (world->model->profiles[agents->profile[row]].def.kinematic) {
        return; // walls do not stop the driven
    }
    if (!throng_map_cell_at(world->map, place, &x, &y) ||
        throng_map_blocked(world->map, class_index, x, y)) {
        contacts->in_wall++;
        contacts->penetration = fmax(contacts->penetration, 1.0);
        return;
    }
    float half_diagonal = 0.7072f * throng_map_cell_size(world->map);
    if (throng_map_clearance(world->map, class_index, x, y) < radius + half_diagonal) {
        float free = throng_map_wall_distance(world->map, class_index, place, radius);
        contacts->penetration =
            fmax(contacts->penetration, ((double)radius - (double)free) / radius);
    }
}

/// True while the scene lets agents overlap.
static bool overlap_excepted(const thg_invariants *invariants, double time)
{
    bool excepted = time + THG_TIME_SLACK < invariants->overlap_from;
    for (int i = 0; i < invariants->overlap_except.count; i++) {
        throng_vec2 span = invariants->overlap_except.items[i];
        excepted = excepted || (time + THG_TIME_SLACK >= (double)span.x &&
                                time - THG_TIME_SLACK <= (double)span.y);
    }
    return excepted;
}

void thg_contacts_look(throng_world *world)
{
    thg_contacts *contacts = &world->contacts;
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    contacts->overlap = 0.0;
    contacts->penetration = 0.0;
    contacts->distance = INFINITY;
    int count = fill_bins(contacts, &agents, world->max_agents);
    if (world->planet != NULL) {
        thg_planet_look_at_pairs(world, &agents); // bins of the atlas end at the edges of faces
        count = fill_bins(contacts, &agents, world->max_agents);
    } else {
        look_at_pairs(contacts, &agents, count);
    }
    for (int i = 0; i < count; i++) {
        look_at_walls(world, &agents, contacts->order[i]);
    }
    if (!overlap_excepted(&world->model->invariants, throng_crowd_time(world->crowd))) {
        contacts->worst_overlap = fmax(contacts->worst_overlap, contacts->overlap);
        contacts->worst_distance = fmin(contacts->worst_distance, (double)contacts->distance);
    }
    contacts->worst_penetration = fmax(contacts->worst_penetration, contacts->penetration);
}
