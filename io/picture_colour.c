/// Colours: ramps that grow evenly lighter, and sets that stay apart.
///
/// The ramps go through a few colours of our own choice whose lightness (CIE L*) rises in equal
/// steps, so that equal differences look equal and a grey print still reads.
#include "picture_draw.h"

static throng_colour ramp_of(const uint8_t (*stops)[3], int count, float value)
{
    float at = thg_clamp01(value) * (float)(count - 1);
    int low = (int)at;
    low = low > count - 2 ? count - 2 : low;
    throng_colour a = {stops[low][0], stops[low][1], stops[low][2], 255};
    throng_colour b = {stops[low + 1][0], stops[low + 1][1], stops[low + 1][2], 255};
    return thg_mix(a, b, at - (float)low);
}

throng_colour throng_colour_ramp(float value)
{
    static const uint8_t stops[8][3] = {{46, 18, 84},   {54, 50, 128},  {42, 88, 148},
                                        {24, 120, 150}, {32, 154, 142}, {84, 186, 118},
                                        {160, 212, 96}, {244, 228, 110}};
    return ramp_of(stops, 8, value);
}

throng_colour throng_colour_heat(float value)
{
    static const uint8_t stops[6][3] = {{72, 12, 30},   {132, 22, 40},  {190, 48, 38},
                                        {228, 100, 40}, {248, 164, 70}, {255, 236, 170}};
    return ramp_of(stops, 6, value);
}

throng_colour throng_colour_of_index(int index)
{
    // Neighbours differ in hue and in lightness.
    static const throng_colour colours[10] = {
        {255, 190, 84, 255},  {104, 190, 255, 255}, {255, 120, 120, 255}, {150, 230, 160, 255},
        {222, 150, 255, 255}, {250, 240, 160, 255}, {90, 215, 210, 255},  {255, 160, 200, 255},
        {180, 190, 255, 255}, {215, 200, 180, 255}};
    return colours[(unsigned)index % 10u];
}

throng_colour throng_colour_of_status(throng_status status)
{
    switch (status) {
    case THRONG_IDLE:
        return (throng_colour){176, 184, 198, 255};
    case THRONG_WALKING:
        return (throng_colour){255, 190, 84, 255};
    case THRONG_ARRIVED:
        return (throng_colour){150, 230, 160, 255};
    case THRONG_STUCK:
        return (throng_colour){255, 82, 82, 255};
    case THRONG_CUT_OFF:
        return (throng_colour){222, 130, 255, 255};
    }
    return (throng_colour){255, 255, 255, 255};
}
