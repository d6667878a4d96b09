/// The numbers of the local rules, stage by stage, where they can be read side by side.
#ifndef THG_RULES_H
#define THG_RULES_H

// steer.c
#define THG_ARRIVE_BRAKE 4.0f  ///< m/s^2 with which one comes to rest at a point
#define THG_HOME_SHARE 0.5f    ///< of the wanted speed on the way back home
#define THG_PACK_SHARE 0.3f    ///< of the wanted speed with which a crowd at its goal closes up
#define THG_HOME_RATE 2.0f     ///< 1/s: how soon a small way back is made
#define THG_MAKE_WAY_TIME 7.5f ///< seconds of disturbance above which one does not yet go back

// gate_turns.c
#define THG_GATE_LONG 3.0f        ///< metres of passage from which on lanes need less width
#define THG_GATE_LANES_LONG 4.0f  ///< diameters of width for lanes in a long passage
#define THG_GATE_LANES_SHORT 5.0f ///< and in a short one
#define THG_GATE_LANES_FULL 4.0f  ///< agents for a diameter of width beyond which lanes would jam
#define THG_GATE_ELBOWS 0.2f      ///< metres beyond two diameters where a few pass by themselves
#define THG_GATE_FEW 3            ///< a side that has fewer is let be there
#define THG_GATE_PHASE 6.0f       ///< seconds of a turn
#define THG_GATE_PHASE_EACH 0.15f ///< more for each who waits
#define THG_GATE_PHASE_MOST 15.0f ///< at most, and a second more for a metre of passage
#define THG_GATE_PHASE_WIDE 32.0f ///< over the width: seconds at most, so that no side gets far
#define THG_GATE_CLEAR_MOST 8.0f  ///< seconds that clearing may take; and for a metre as above
#define THG_GATE_PHASE_LEAST 1.5f ///< seconds at least, while somebody comes
#define THG_GATE_LEAD 16          ///< agents by which a side may get ahead in its turn
#define THG_GATE_LEAD_MOST 40     ///< is what is remembered
#define THG_GATE_CALM 2.0f        ///< seconds without contention until a gate is free

// gate_rules.c
#define THG_GATE_FAN 3.5f         ///< metres before a mouth that are kept free for those coming out
#define THG_GATE_SIDE 0.83f       ///< of the speed, sideways out of the fan
#define THG_GATE_BACK 0.55f       ///< and back
#define THG_GATE_CREEP 0.15f      ///< of the speed of those who queue behind
#define THG_GATE_HOLD 1.0f        ///< metres beyond the fan where one stands
#define THG_GATE_DOORSTEP 1.0f    ///< metres before a mouth where nobody goes while it clears
#define THG_GATE_OWNER_YIELD 0.7f ///< of their own, for those whose turn it is
#define THG_GATE_FAN_YIELD 2.0f   ///< for those in the fan
#define THG_GATE_QUEUE_YIELD 1.5f ///< for those who queue
#define THG_GATE_LATE 4.0f        ///< seconds of clearing from which on those inside yield to none
#define THG_GATE_LATE_YIELD 0.4f
#define THG_GATE_LANE_REACH 2.5f  ///< metres before and behind a passage where lanes are kept
#define THG_GATE_LANE_PULL 1.5f   ///< 1/m: how hard one is drawn into the lane
#define THG_GATE_WRONG_YIELD 1.5f ///< of their own, for those in the wrong lane
// steering.c
#define THG_MOST_FORESIGHT 10.0f ///< seconds ahead to which one who pursues reckons
#define THG_EVADE_FORESIGHT 2.0f ///< the same for one who evades
#define THG_FOLLOW_PACE 0.2f     ///< m/s from which one who is followed has a behind
#define THG_WANDER_PERIOD 1.5    ///< seconds between two draws of how to turn
#define THG_WANDER_RATE 1.5f     ///< radians a second that one who wanders turns at most
#define THG_CLOSE_RATE 4.0f      ///< 1/s: how soon the last of a way is made
#define THG_COME_TO_REST 0.3f    ///< m/s below which one has come to rest where he was sent

// move.c
#define THG_SHOULDER_SHARE 0.5f ///< the same where one shoulders past those who stand about
#define THG_MOST_SIDE 1.3f      ///< of the wanted speed that stepping aside may reach
#define THG_MAKE_WAY_SPEED 1.0f ///< m/s of one who stands and lets another by
#define THG_MAKE_WAY_SIDE 0.05f ///< of stepping aside below which one stays put

// states.c
#define THG_SMALL 0.6f              ///< of a radius below which the other is a small one
#define THG_SHOVE_GAP 0.5f          ///< metres between skins from which a big one pushes aside
#define THG_SHOVE_COSINE 0.7071068f ///< 45 degrees to either side of the big one's way
#define THG_BODY_SHARE 0.85f        ///< of both radii that a probe must keep free to the side
#define THG_STRAIGHT 0.25f          ///< of both radii within which one ahead is straight ahead
#define THG_BLOCKED_SHARE 0.5f      ///< of the own speed below which one ahead blocks
#define THG_DENSITY_REACH 1.5f      ///< metres that the density ahead is counted in
#define THG_JAM_SHARE 0.15f         ///< of the wanted speed that is left in the densest crowd
#define THG_WAIT_SHARE 0.4f         ///< of the wanted speed with which one who waits presses on
#define THG_DODGE_TIME 0.4f         ///< seconds for which a dodge holds
#define THG_EMERGENCY_TIME 1.0f     ///< the same for one made for want of patience
#define THG_DODGE_TURN 0.7071068f   ///< sine and cosine of 45 degrees

// contacts.c
#define THG_LEAST_PASSES 3
#define THG_MOST_PASSES 32
#define THG_CRUSH_BINS 4      ///< bins round a deep pair in which further passes are made
#define THG_DEEP 0.05f        ///< share of a radius from which another pass is worth it
#define THG_TOO_DEEP 0.2f     ///< share of a radius that is flagged when it is left
#define THG_OVER_RELAX 1.5f   ///< 1: mean of the pushes; 2: twice that
#define THG_PINNED_YIELD 0.1f ///< of one's own, when a wall has taken most of a push
#define THG_WAKING_PUSH 0.01f ///< of the own radius from which a sleeper feels a push
#define THG_MOST_PUSH 0.25f   ///< of the own radius that one pass may move an agent

#define THG_FIXED_YIELD 1e-30f   ///< of those nobody can push: anchored, or moved by the host
#define THG_WALKING_ANCHOR 1e-3f ///< of its own: an anchored agent on the way
#define THG_OUTRANKED 0.1f       ///< of one's own yield towards one of lower priority
#define THG_NO_YIELD 1e-37f      ///< keeps a share of nothing a number

// arrivals.c
#define THG_LEAST_WISH 0.1f    ///< m/s below which one with an order has nowhere to go
#define THG_PROGRESS 0.3f      ///< metres that count as getting somewhere
#define THG_STUCK_AFTER 5.0f   ///< seconds without
#define THG_SETTLE_AFTER 1.0f  ///< seconds without, near a crowded goal
#define THG_LINE_AFTER 3.0f    ///< seconds without, behind one who has arrived
#define THG_LINE_AHEAD -0.3f   ///< cosine of the angle to his way from which he is not behind
#define THG_LINE_REACH 1.5f    ///< of the sum of both radii, between their centres
#define THG_LINE_BESIDE 4.0f   ///< of the own radius within which a wall leaves no circle
#define THG_PRESSES_FOR 2.5f   ///< seconds without, per metre of radius, that make others close up
#define THG_PACK_TOUCH 1.1f    ///< of the packed radius within which touching counts as arriving
#define THG_PACK_BLOCKED 1.25f ///< of it within which getting no nearer does
#define THG_AT_HOME 0.05f      ///< metres
#define THG_ASLEEP 20          ///< substeps at rest after which one who stands sleeps
#define THG_AT_REST 0.002f     ///< of the own radius, per substep
#define THG_PACK_LATE 1.28f    ///< of it within which that does a little later, touching
#define THG_PACK_PRESSED 1.5f  ///< of it within which those who walk make those who stand close up

// slots.c
#define THG_AT_PLACE 0.05f  ///< metres from a place that count as on it; it then stays within 0.1
#define THG_ON_PLACE 0.02f  ///< and within which one moves no more
#define THG_NEAR_PLACE 0.5f ///< and within which neighbours do not matter
#define THG_HOLDER_YIELD 1e-4f  ///< of one's own, on one's place
#define THG_CLAIMANT_YIELD 0.3f ///< and on the way to it

// sense.c and the kernels
#define THG_WIDE_LIMIT 24       ///< agents in the narrow view from which on it is enough
#define THG_MAX_RANGES 1024     ///< more than levels and their bins across can ever be
#define THG_MOST_IN_RANGE 128   ///< of three bins in a row of one's own level that are looked at
#define THG_MOST_IN_REACH 2048  ///< and of a row of bins of another level
#define THG_CONTACT_SLACK 1.05f ///< radii within which two count as touching
#define THG_SHOULDER_GAP 0.3f   ///< metres between skins from which one shoulders past
#define THG_LEFT_FROM (-0.025f) ///< turn (1/4 of metres aside over the radius) that counts as left
#define THG_LEAST_CLOSING 0.01f ///< (m/s)^2 below which nobody comes nearer
#define THG_CRAWL 1e-3f         ///< m/s below which a velocity has no direction
#define THG_COINCIDENT 1e-10f   ///< squared metres below which a direction means nothing
#define THG_FREE_SPEED 1e9f
#define THG_STIR_WALKING 8.0f ///< stir of one who walks; those who stand have less
#define THG_STIR_LOSS 0.25f   ///< less than the toucher's own, for one who passes it on

#endif
