/// The neighbour kernels in lanes, for the instructions every processor of the target has.
#include "core/lanes.h"
#include "crowd/kernels.h"

#pragma GCC diagnostic ignored "-Wpsabi"

#include "crowd/kernels_lanes.inc"

const thg_kernels thg_kernels_portable = {
    THRONG_KERNELS_PORTABLE, sense_lanes, contact_lanes, sense_lanes_who,
    contact_lanes_who,       find_lanes,  push_lanes};
