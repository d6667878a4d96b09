/// The numbers of the local rules, stage by stage, where they can be read side by side.
#ifndef THG_RULES_H
#define THG_RULES_H

// steer.c
#define THG_ARRIVE_BRAKE 4.0f  ///< m/s^2 with which one comes to rest at a point
#define THG_HOME_SHARE 0.5f    ///< of the wanted speed on the way back home
#define THG_PACK_SHARE 0.3f    ///< of the wanted speed with which a crowd at its goal closes up
#define THG_HOME_RATE 2.0f     ///< 1/s: how soon a small way back is made
#define THG_MAKE_WAY_TIME 7.5f ///< seconds of disturbance above which one does not yet go back

// move.c
#define THG_LEAST_SHARE 0.15f   ///< of the wanted speed that is kept behind others
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
#define THG_MOST_PASSES 24
#define THG_DEEP 0.05f        ///< share of a radius from which another pass is worth it
#define THG_TOO_DEEP 0.2f     ///< share of a radius that is flagged when it is left
#define THG_OVER_RELAX 1.5f   ///< 1: mean of the pushes; 2: twice that
#define THG_PINNED_YIELD 0.1f ///< of one's own, when a wall has taken most of a push
#define THG_MOST_PUSH 0.25f   ///< of the own radius that one pass may move an agent

// arrivals.c
#define THG_PROGRESS 0.3f      ///< metres that count as getting somewhere
#define THG_STUCK_AFTER 5.0f   ///< seconds without
#define THG_SETTLE_AFTER 1.0f  ///< seconds without, near a crowded goal
#define THG_PACK_TOUCH 1.1f    ///< of the packed radius within which touching counts as arriving
#define THG_PACK_BLOCKED 1.25f ///< of it within which getting no nearer does
#define THG_AT_HOME 0.05f      ///< metres
#define THG_PACK_PRESSED 1.5f  ///< of it within which those who walk make those who stand close up

// sense.c and the kernels
#define THG_NARROW_ROWS 3       ///< bins across that contacts look at
#define THG_WIDE_ROWS 5         ///< bins across that steering looks at where it is not crowded
#define THG_WIDE_LIMIT 24       ///< agents in the narrow view from which on it is enough
#define THG_CONTACT_SLACK 1.05f ///< radii within which two count as touching
#define THG_SHOULDER_GAP 0.3f   ///< metres between skins from which one shoulders past
#define THG_HEADWAY 0.4f        ///< seconds of free gap kept to those ahead
#define THG_LEFT_FROM (-0.025f) ///< turn (1/4 of metres aside over the radius) that counts as left
#define THG_LEAST_CLOSING 0.01f ///< (m/s)^2 below which nobody comes nearer
#define THG_CRAWL 1e-3f         ///< m/s below which a velocity has no direction
#define THG_COINCIDENT 1e-10f   ///< squared metres below which a direction means nothing
#define THG_FREE_SPEED 1e9f
#define THG_STIR_WALKING 8.0f ///< stir of one who walks; those who stand have less
#define THG_STIR_LOSS 0.25f   ///< less than the toucher's own, for one who passes it on

#endif
