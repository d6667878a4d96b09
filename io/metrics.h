/// Metrics of a whole crowd, looked at every few steps; see metrics.c.
#ifndef THG_METRICS_H
#define THG_METRICS_H

#include "measure.h"

#define THG_METRICS_EVERY 10     ///< steps between two looks, at least
#define THG_DENSITY_REACH 1.5f   ///< metres round an agent in which others count for its density
#define THG_DENSITY_FREE 0.6     ///< agents per m2 below which it is free
#define THG_DENSITY_JAM 1.2      ///< from which on it is a jam
#define THG_OVERLAP_TOP 1.0      ///< radii; deeper overlaps count as this
#define THG_HEADING_EVERY 0.1    ///< seconds
#define THG_HEADING_SPEED 0.2f   ///< m/s below which nobody has a heading
#define THG_HEADING_TURN 0.0175f ///< sine of the least turn: a degree
#define THG_JAM_SPEED 0.1f       ///< of the wanted speed

/// Agents per m2 when so many are within reach, the agent itself included.
double thg_density_of(int count);
/// 0 free, 1 between, 2 jam.
int thg_density_class(double density);
/// The overlap, over the smaller radius, that so many per cent of the looks do not exceed.
double thg_overlap_percentile(const uint64_t *buckets, double percentile);

#endif
