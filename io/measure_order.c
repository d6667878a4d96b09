/// Measures of common headings and of lanes.
///
/// Polarisation (Vicsek et al. 1995): the length of the mean heading of those who move, 1 when all
/// go one way, near 1/sqrt(n) when each goes his own.
///
/// Lane order (Rex and Loewen 2007): for each agent, of those in a strip of his width along the
/// flow, ((same way - other way) / (same + other))^2, and the mean of that: 1 when no strip holds
/// both, near 1 / (agents in a strip) when they are mixed at random. The flow is the axis along
/// which velocities are largest, so streams may run in any direction of the map. Those who stand
/// have no way and are left out, and so is who is alone in his strip.
#include "measure.h"
#include <math.h>
#include <stdlib.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)
#define LEAST_SPEED 0.05  ///< m/s
#define STRIP_SHARE 0.75f ///< of a radius

/// One who moves, by his place across the flow.
typedef struct mover {
    double across;
    double vx, vy;
    float x, y, radius;
    int way; ///< 1 along the flow, 0 against it
} mover;

static int list_movers(const throng_world *world, uint64_t groups, mover *movers)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int count = 0;
    for (int row = 0; row < agents.count; row++) {
        const thg_track *track = thg_world_track_of(world, agents.id[row]);
        double vx = agents.vx[row], vy = agents.vy[row];
        if (track != NULL && (groups >> track->group & 1) != 0 &&
            vx * vx + vy * vy > LEAST_SPEED * LEAST_SPEED) {
            movers[count++] = (mover){.vx = vx,
                                      .vy = vy,
                                      .x = agents.x[row],
                                      .y = agents.y[row],
                                      .radius = agents.radius[row]};
        }
    }
    return count;
}

static double find_polarisation(const mover *movers, int count)
{
    double x = 0.0, y = 0.0;
    for (int i = 0; i < count; i++) {
        double speed = sqrt(movers[i].vx * movers[i].vx + movers[i].vy * movers[i].vy);
        x += movers[i].vx / speed;
        y += movers[i].vy / speed;
    }
    return sqrt(x * x + y * y) / count;
}

static int compare_movers(const void *a, const void *b)
{
    double left = ((const mover *)a)->across, right = ((const mover *)b)->across;
    return (left > right) - (left < right);
}

/// Places movers along and across the axis of the flow, sorted across it.
static void sort_across(mover *movers, int count)
{
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < count; i++) {
        xx += movers[i].vx * movers[i].vx;
        xy += movers[i].vx * movers[i].vy;
        yy += movers[i].vy * movers[i].vy;
    }
    double angle = 0.5 * atan2(2.0 * xy, xx - yy);
    double x = cos(angle), y = sin(angle);
    for (int i = 0; i < count; i++) {
        movers[i].across = x * movers[i].y - y * movers[i].x;
        movers[i].way = movers[i].vx * x + movers[i].vy * y >= 0.0;
    }
    qsort(movers, (size_t)count, sizeof *movers, compare_movers);
}

/// Index of the first mover at or after a place across.
static int first_from(const mover *movers, int count, double across)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (movers[middle].across < across) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// `along` [count + 1]: how many of the first i go along the flow.
static void find_lanes(const mover *movers, int count, float strip, int *along, thg_order *order)
{
    double sum = 0.0;
    int counted = 0;
    along[0] = 0;
    for (int i = 0; i < count; i++) {
        along[i + 1] = along[i] + movers[i].way;
    }
    for (int i = 0; i < count; i++) {
        double half = (double)(strip > 0.0f ? strip : STRIP_SHARE * movers[i].radius);
        int first = first_from(movers, count, movers[i].across - half);
        int end = first_from(movers, count, nextafter(movers[i].across + half, INFINITY));
        int others = end - first - 1;
        int forward = along[end] - along[first] - movers[i].way;
        if (others > 0) {
            double share = (2.0 * forward - others) / others;
            sum += share * share;
            counted++;
        }
    }
    order->has_lanes = counted > 0;
    order->lane_order = counted > 0 ? sum / counted : 0.0;
}

bool thg_order_look(const throng_world *world, uint64_t groups, float strip, thg_order *order)
{
    *order = (thg_order){0};
    size_t count = (size_t)throng_crowd_agents(world->crowd).count;
    mover *movers = malloc((count + 1) * sizeof *movers);
    int *along = malloc((count + 1) * sizeof *along);
    bool good = movers != NULL && along != NULL;
    if (good) {
        order->movers = list_movers(world, groups, movers);
        if (order->movers > 0) {
            order->polarisation = find_polarisation(movers, order->movers);
            sort_across(movers, order->movers);
            find_lanes(movers, order->movers, strip, along, order);
        }
    }
    free(movers);
    free(along);
    return good;
}

// ---- Meters: worst sums, count counts ---------------------------------------------------------

static void observe_lanes(const throng_world *world, thg_meter *meter)
{
    thg_order order;
    if (thg_meter_within(world, meter) &&
        thg_order_look(world, meter->expectation->groups, meter->expectation->limit, &order) &&
        order.has_lanes) {
        meter->worst += order.lane_order;
        meter->count++;
    }
}

static void observe_polarisation(const throng_world *world, thg_meter *meter)
{
    thg_order order;
    if (thg_meter_within(world, meter) &&
        thg_order_look(world, meter->expectation->groups, 0.0f, &order) && order.movers > 1) {
        meter->worst += order.polarisation;
        meter->count++;
    }
}

static double finish_mean(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? meter->worst / meter->count : INFINITY;
}

#define SPAN (BIT(FROM) | BIT(TO))

const thg_measure thg_measures_order[] = {
    {"lane_order", 0, BIT(AGENTS) | BIT(LIMIT) | SPAN, false, false, observe_lanes, finish_mean},
    {"polarisation", 0, BIT(AGENTS) | SPAN, false, false, observe_polarisation, finish_mean},
    {0},
};
