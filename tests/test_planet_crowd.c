/// Crowds on planets: a metre is a metre everywhere, edges and corners of the cube do not show,
/// and what holds on a plane holds here.
#include "planet_fixture.h"

#define DT (1.0f / 30.0f)

static float distance(const planet_world *world, throng_vec3 a, throng_vec3 b)
{
    return throng_planet_distance(world->planet, a, b);
}

static int face_of(const planet_world *world, throng_vec3 place)
{
    int side = throng_planet_side(world->planet);
    return throng_planet_cell_at(world->planet, place) / (side * side);
}

/// Velocity of a row in space.
static throng_vec3 velocity_of(const planet_world *world, int row)
{
    throng_agents_view view = throng_crowd_agents(world->crowd);
    return throng_planet_lift(world->planet, (throng_vec2){view.x[row], view.y[row]},
                              (throng_vec2){view.vx[row], view.vy[row]});
}

static float dot(throng_vec3 a, throng_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static throng_vec3 cross(throng_vec3 a, throng_vec3 b)
{
    return (throng_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// ---- One walker -------------------------------------------------------------------------------

typedef struct walk_record {
    int edges;        ///< steps that ended on another face
    float worst_step; ///< |metres of a step - v dt| at most
    float worst_turn; ///< radians by which the velocity turned in one step, at most
    float length, shortest;
} walk_record;

/// Follows one agent from a place to another and looks at every step.
static walk_record follow(planet_world *world, throng_vec3 from, throng_vec3 to)
{
    walk_record record = {.shortest = distance(world, from, to)};
    throng_agent_id agent = planet_spawn(world, from, WALKER, planet_goal(world, to));
    throng_crowd_step(world->crowd, 0.0f);
    throng_crowd_solve_fields(world->crowd);
    for (int step = 0; step < 30; step++) {
        throng_crowd_step(world->crowd, DT); // up to speed
    }
    int row = throng_crowd_find(world->crowd, agent);
    throng_vec3 place = planet_place_of(world, row), velocity = velocity_of(world, row);
    record.length = distance(world, from, place);
    while (distance(world, place, to) > 4.0f) {
        throng_crowd_step(world->crowd, DT);
        row = throng_crowd_find(world->crowd, agent);
        throng_vec3 next = planet_place_of(world, row), along = velocity_of(world, row);
        float metres = distance(world, place, next);
        float off = fabsf(metres - world->profiles[WALKER].speed * DT);
        float turn = acosf(fminf(dot(planet_unit(velocity), planet_unit(along)), 1.0f));
        record.edges += face_of(world, place) != face_of(world, next);
        record.worst_step = fmaxf(record.worst_step, off);
        record.worst_turn = fmaxf(record.worst_turn, turn);
        record.length += metres;
        assert_true(record.length < 2.0f * record.shortest);
        place = next;
        velocity = along;
    }
    record.length += distance(world, place, to);
    assert_ok(throng_crowd_remove(world->crowd, agent));
    return record;
}

static void an_agent_walks_its_speed_across_edges_and_corners(void **state)
{
    (void)state;
    planet_world world =
        planet_make((planet_options){.side = 64, .radius = 100, .max_agents = 8, .one_kind = true});
    // Over the middle of an edge, close past corners, along an edge, round half the world.
    const throng_vec3 from[] = {{1, 0.7f, 0.1f},   {1.1f, 0.9f, 0.97f}, {1, 1.02f, 0.9f},
                                {1.05f, 1, -0.8f}, {1, 0.05f, 0.02f},   {0.3f, -1, 0.2f}};
    const throng_vec3 to[] = {{0.7f, 1, 0.2f},  {0.8f, 1, 1.04f}, {0.85f, 0.9f, 1.1f},
                              {1, 1.05f, 0.8f}, {-1, 0.4f, 0.3f}, {-0.2f, 0.6f, -1}};
    int edges = 0;
    for (int i = 0; i < (int)(sizeof to / sizeof to[0]); i++) {
        walk_record record = follow(&world, from[i], to[i]);
        print_message("walk %d: %.1f m, %.4f of the great circle, %d edges, a step off by %.2e m, "
                      "a turn by %.3f\n",
                      i, (double)record.length, (double)(record.length / record.shortest),
                      record.edges, (double)record.worst_step, (double)record.worst_turn);
        assert_true(record.worst_step < 5e-4f); // positions are floats
        assert_true(record.worst_turn < 0.05f);
        assert_true(record.length < record.shortest * 1.005f + 0.1f);
        edges += record.edges;
    }
    assert_true(edges >= 7);
    planet_end(&world);
}

// ---- Contacts ---------------------------------------------------------------------------------

/// The deepest overlap over the smaller radius, by true distances, of all pairs.
static float deepest_overlap(const planet_world *world)
{
    throng_agents_view view = throng_crowd_agents(world->crowd);
    throng_vec3 *places = malloc((size_t)view.count * sizeof *places);
    float deepest = 0.0f, radius = throng_planet_radius(world->planet);
    assert_non_null(places);
    for (int i = 0; i < view.count; i++) {
        places[i] = planet_place_of(world, i);
        for (int k = 0; k < i; k++) {
            float reach = view.radius[i] + view.radius[k];
            throng_vec3 off = {places[i].x - places[k].x, places[i].y - places[k].y,
                               places[i].z - places[k].z};
            float chord = radius * sqrtf(dot(off, off));
            float least = fminf(view.radius[i], view.radius[k]);
            deepest = fmaxf(deepest, (reach - chord) / least);
        }
    }
    free(places);
    return deepest;
}

/// A crowd of three sizes sent to one point: it packs there, wherever on the cube that is.
static void pack_at(throng_vec3 goal_place, uint64_t seed)
{
    planet_world world = planet_make((planet_options){.side = 32, .radius = 40, .max_agents = 150});
    throng_goal_id goal = planet_goal(&world, goal_place);
    throng_vec3 axis = planet_unit(cross(planet_unit(goal_place), (throng_vec3){0.3f, 0.5f, 0.8f}));
    for (int i = 0; i < 150; i++) {
        throng_vec3 off = planet_random_place(&seed);
        throng_vec3 near = planet_unit(goal_place);
        float spread = 0.35f;
        throng_vec3 place = {near.x + spread * (off.x + 0.5f * axis.x),
                             near.y + spread * (off.y + 0.5f * axis.y),
                             near.z + spread * (off.z + 0.5f * axis.z)};
        planet_spawn(&world, planet_unit(place), i % PLANET_KINDS, goal);
    }
    throng_crowd_step(world.crowd, 0.0f);
    throng_crowd_solve_fields(world.crowd);
    float worst = 0.0f;
    for (int step = 0; step < 900; step++) {
        throng_crowd_step(world.crowd, DT);
        worst = step > 30 && step % 10 == 0 ? fmaxf(worst, deepest_overlap(&world)) : worst;
    }
    throng_agents_view view = throng_crowd_agents(world.crowd);
    int arrived = 0, quiet = 0, faces = 0;
    for (int i = 0; i < view.count; i++) {
        arrived += view.status[i] == THRONG_ARRIVED;
        quiet += view.vx[i] * view.vx[i] + view.vy[i] * view.vy[i] < 0.01f;
        faces |= 1 << face_of(&world, planet_place_of(&world, i));
    }
    print_message("packed: %d of %d arrived, %d quiet, faces %x, overlap %.3f\n", arrived,
                  view.count, quiet, (unsigned)faces, (double)worst);
    assert_int_equal(view.count, 150);
    assert_true(arrived >= 147);
    assert_true(quiet >= 147);
    assert_true(worst < 0.2f);
    planet_end(&world);
}

static void crowds_pack_on_faces_edges_and_corners(void **state)
{
    (void)state;
    pack_at((throng_vec3){1, 0, 0}, 1);
    pack_at((throng_vec3){1, 1, 0.2f}, 2);
    pack_at((throng_vec3){1, 1, 1}, 3);
    pack_at((throng_vec3){-1, 1, -1}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_walks_its_speed_across_edges_and_corners),
        cmocka_unit_test(crowds_pack_on_faces_edges_and_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
