/// How much longer a walk along the field is than the shortest there is. The shortest way round
/// obstacles bends at their corners only: corners that see each other, and Dijkstra over them, is
/// exact on any map of cells.
#include "field_fixture.h"

typedef struct corners {
    const throng_map *map;
    throng_vec2 goal;
    int count;
    int *x, *y;  ///< lattice points
    int *side;   ///< where two solid cells touch: a corner for each free quadrant between them
    double *way; ///< to the goal
    bool *done;
} corners;

static bool solid(const throng_map *map, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < throng_map_width(map) && y < throng_map_height(map);
    return !inside || throng_map_blocked(map, 0, x, y);
}

/// Whether at a lattice point two solid cells touch with their corners: nobody goes between them.
static bool touch(const throng_map *map, int x, int y)
{
    bool a = solid(map, x - 1, y - 1), b = solid(map, x, y - 1);
    bool c = solid(map, x - 1, y), d = solid(map, x, y);
    return a == d && b == c && a != b;
}

/// Whether a segment stays out of the inside of what is solid, and does not slip between two cells
/// that touch at a corner. Touching a wall is free. Ends are lattice points or cell middles and the
/// like: a crossing nearer than 1e-9 to a lattice point is one through it.
static bool sees(const throng_map *map, double ax, double ay, double bx, double by)
{
    double dx = bx - ax, dy = by - ay;
    double at = 0.0;
    while (at < 1.0) {
        // The next line of the lattice that the segment meets, on either axis.
        double x = ax + at * dx, y = ay + at * dy;
        double next_x = dx > 0.0 ? floor(x + 1e-9) + 1.0 : ceil(x - 1e-9) - 1.0;
        double next_y = dy > 0.0 ? floor(y + 1e-9) + 1.0 : ceil(y - 1e-9) - 1.0;
        double to_x = fabs(dx) < 1e-12 ? 2.0 : (next_x - ax) / dx;
        double to_y = fabs(dy) < 1e-12 ? 2.0 : (next_y - ay) / dy;
        double next = fmin(fmin(to_x, to_y), 1.0);
        double middle_x = ax + 0.5 * (at + next) * dx, middle_y = ay + 0.5 * (at + next) * dy;
        bool along_y = fabs(dx) < 1e-12 && fabs(ax - round(ax)) < 1e-9;
        bool along_x = fabs(dy) < 1e-12 && fabs(ay - round(ay)) < 1e-9;
        if (along_y) { // between two columns: free when either is
            int row = (int)floor(middle_y), column = (int)round(ax);
            if (solid(map, column - 1, row) && solid(map, column, row)) {
                return false;
            }
        } else if (along_x) {
            int row = (int)round(ay), column = (int)floor(middle_x);
            if (solid(map, column, row - 1) && solid(map, column, row)) {
                return false;
            }
        } else if (solid(map, (int)floor(middle_x), (int)floor(middle_y))) {
            return false;
        }
        bool at_point = fabs(to_x - to_y) * (fabs(dx) + fabs(dy)) < 1e-9;
        if (next < 1.0 && (at_point || along_x || along_y) &&
            touch(map, (int)round(along_y ? ax : next_x), (int)round(along_x ? ay : next_y))) {
            return false;
        }
        at = next;
    }
    return true;
}

enum { ANY_SIDE = -1 }; // else bit 0: to the right, bit 1: below

/// Whether a corner opens towards another place: one between two that touch opens into its quadrant
/// only, and not to its twin in the quadrant opposite.
static bool opens(const corners *all, int i, double x, double y)
{
    int side = all->side[i];
    return side == ANY_SIDE ||
           ((x != all->x[i] || y != all->y[i]) && (side & 1 ? x >= all->x[i] : x <= all->x[i]) &&
            (side & 2 ? y >= all->y[i] : y <= all->y[i]));
}

static bool corner_sees(const corners *all, int i, double x, double y)
{
    return opens(all, i, x, y) && sees(all->map, (double)all->x[i], (double)all->y[i], x, y);
}

static bool corners_see(const corners *all, int i, int other)
{
    return opens(all, other, (double)all->x[i], (double)all->y[i]) &&
           corner_sees(all, i, (double)all->x[other], (double)all->y[other]);
}

/// Adds what corners lie at a lattice point: where exactly one of four cells is solid, or two on a
/// diagonal.
static void add_corners(corners *all, int x, int y)
{
    bool solids[4];
    int count = 0;
    for (int side = 0; side < 4; side++) {
        solids[side] = solid(all->map, x - 1 + (side & 1), y - 1 + (side >> 1));
        count += solids[side];
    }
    bool touching = touch(all->map, x, y);
    for (int side = 0; side < 4; side++) {
        if ((touching && !solids[side]) || (count == 1 && solids[side])) {
            all->x[all->count] = x;
            all->y[all->count] = y;
            all->side[all->count++] = touching ? side : ANY_SIDE;
        }
    }
}

static corners make_corners(const throng_map *map, throng_vec2 goal)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    size_t most = 2 * (size_t)(width + 1) * (size_t)(height + 1);
    corners all = {.map = map, .goal = goal};
    all.x = malloc(most * sizeof *all.x);
    all.y = malloc(most * sizeof *all.y);
    all.side = malloc(most * sizeof *all.side);
    for (int y = 0; y <= height; y++) {
        for (int x = 0; x <= width; x++) {
            add_corners(&all, x, y);
        }
    }
    all.way = malloc((size_t)all.count * sizeof *all.way);
    all.done = calloc((size_t)all.count, sizeof *all.done);
    for (int i = 0; i < all.count; i++) {
        bool seen = corner_sees(&all, i, (double)goal.x, (double)goal.y);
        all.way[i] = seen ? hypot(all.x[i] - (double)goal.x, all.y[i] - (double)goal.y) : INFINITY;
    }
    for (int round = 0; round < all.count; round++) {
        int next = -1;
        for (int i = 0; i < all.count; i++) {
            if (!all.done[i] && (next < 0 || all.way[i] < all.way[next])) {
                next = i;
            }
        }
        all.done[next] = true;
        for (int i = 0; i < all.count && all.way[next] < 1e9; i++) {
            double way = all.way[next] + hypot(all.x[i] - all.x[next], all.y[i] - all.y[next]);
            if (!all.done[i] && way < all.way[i] && corners_see(&all, next, i)) {
                all.way[i] = way;
            }
        }
    }
    return all;
}

static void free_corners(corners *all)
{
    free(all->x);
    free(all->y);
    free(all->side);
    free(all->way);
    free(all->done);
}

static double shortest(const corners *all, double x, double y)
{
    double goal_x = (double)all->goal.x, goal_y = (double)all->goal.y;
    double best = sees(all->map, goal_x, goal_y, x, y) ? hypot(goal_x - x, goal_y - y) : INFINITY;
    for (int i = 0; i < all->count; i++) {
        double way = all->way[i] + hypot(all->x[i] - x, all->y[i] - y);
        if (way < best && corner_sees(all, i, x, y)) {
            best = way;
        }
    }
    return best;
}

typedef struct lengths {
    double walked, shortest, worst;
    int walks;
} lengths;

/// Walks from every `stride`th cell to one near a place, and adds both lengths up.
static void compare(const throng_map *map, throng_vec2 near, int stride, lengths *sums)
{
    int x, y, width = throng_map_width(map);
    assert_true(throng_map_nearest_fit(map, 0, near, 0, &x, &y));
    throng_vec2 goal = {(float)x + 0.375f, (float)y + 0.75f};
    throng_goal_shape shape = fixture_point(&goal);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    corners all = make_corners(map, goal);
    for (int i = 0; i < width * throng_map_height(map); i += stride) {
        throng_vec2 start = throng_map_cell_center(map, i % width, i / width);
        throng_sample sample = throng_field_sample(field, start);
        if (!throng_map_fits(map, 0, i % width, i / width) || !sample.reached) {
            continue;
        }
        double way = shortest(&all, (double)start.x, (double)start.y);
        static throng_vec2 points[1 << 15];
        float length;
        int count;
        assert_true(way < 1e9);
        assert_true(throng_field_trace(field, start, 0.25f, (1 << 15) - 1, points, 1 << 15, &count,
                                       &length));
        throng_vec2 last = points[count - 1]; // within a step of the goal
        double walked =
            (double)length + hypot((double)(goal.x - last.x), (double)(goal.y - last.y));
        sums->walked += walked;
        sums->shortest += way;
        sums->worst = way > 20.0 ? fmax(sums->worst, walked / way) : sums->worst;
        sums->walks++;
    }
    free_corners(&all);
    throng_field_destroy(field);
}

static void hold(const char *name, const lengths *sums, double bound)
{
    double ratio = sums->walked / sums->shortest;
    print_message("%s: %d walks, %.5f of the shortest, worst %.4f\n", name, sums->walks, ratio,
                  sums->worst);
    assert_true(sums->walks > 300);
    assert_true(ratio >= 1.0 - 1e-4); // nobody beats the shortest: or it is not the shortest
    assert_true(ratio <= bound);
}

static void on_generated(const char *name, field_map_kind kind, int side, int stride, double bound)
{
    lengths sums = {0};
    for (unsigned seed = 1; seed <= 3; seed++) {
        throng_map *map = fixture_map(kind, side, side, seed, 1, 0.0f, 0.0f);
        throng_vec2 near = {(float)side * 0.25f * (float)seed, (float)side * 0.4f};
        compare(map, near, stride, &sums);
        throng_map_destroy(map);
    }
    hold(name, &sums, bound);
}

static void walks_on_an_open_map_are_the_shortest(void **state)
{
    (void)state;
    on_generated("open", FIELD_MAP_OPEN, 128, 101, 1.002);
}

/// Rectangles of 2 to 12 cells that keep a cell away from each other and from the edge.
static throng_map *scatter(uint64_t seed)
{
    enum { SIDE = 128, RECTANGLES = 40 };
    static uint8_t terrain[SIDE * SIDE];
    memset(terrain, THRONG_GROUND, sizeof terrain);
    for (int count = 0; count < RECTANGLES;) {
        throng_cell_rect rect = {(int)(field_map_random(&seed) % (SIDE - 16)) + 2,
                                 (int)(field_map_random(&seed) % (SIDE - 16)) + 2,
                                 (int)(field_map_random(&seed) % 11) + 2,
                                 (int)(field_map_random(&seed) % 11) + 2};
        bool apart = true;
        for (int y = rect.y - 2; y < rect.y + rect.height + 2; y++) {
            for (int x = rect.x - 2; x < rect.x + rect.width + 2; x++) {
                apart = apart && terrain[y * SIDE + x] == THRONG_GROUND;
            }
        }
        if (apart) {
            for (int i = 0; i < rect.width * rect.height; i++) {
                terrain[(rect.y + i / rect.width) * SIDE + rect.x + i % rect.width] = THRONG_WALL;
            }
            count++;
        }
    }
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_map *map = NULL;
    int class_index;
    def.width = def.height = SIDE;
    def.terrain = terrain;
    assert_ok(throng_map_create(&def, &map));
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static void walks_among_rectangles_are_nearly_the_shortest(void **state)
{
    (void)state;
    lengths sums = {0};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        throng_map *map = scatter(seed);
        compare(map, (throng_vec2){50.0f + (float)seed * 10.0f, 60.0f}, 101, &sums);
        throng_map_destroy(map);
    }
    hold("rectangles", &sums, 1.008);
    // Small blocks close together, a corner every few metres, are the hardest: each corner costs.
    on_generated("blocks of 4 x 4", FIELD_MAP_RECTANGLES, 128, 101, 1.016);
}

static void walks_through_rooms_are_nearly_the_shortest(void **state)
{
    (void)state;
    on_generated("rooms of 8 x 8", FIELD_MAP_ROOMS, 128, 31, 1.05);
}

static void walks_through_a_city_are_nearly_the_shortest(void **state)
{
    (void)state;
    lengths sums = {0};
    throng_map *map = fixture_movingai("Berlin_0_256");
    throng_vec2 nears[] = {{40.0f, 40.0f}, {200.0f, 60.0f}, {130.0f, 210.0f}};
    for (int i = 0; i < 3; i++) {
        compare(map, nears[i], 211, &sums);
    }
    throng_map_destroy(map);
    hold("Berlin", &sums, 1.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(walks_on_an_open_map_are_the_shortest),
        TEST(walks_among_rectangles_are_nearly_the_shortest),
        TEST(walks_through_rooms_are_nearly_the_shortest),
        TEST(walks_through_a_city_are_nearly_the_shortest),
    };
    return RUN_TESTS(tests);
}
