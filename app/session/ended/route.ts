import { leaveEndedSession } from "@/lib/api/ended-session";

/** Pages redirect here when the session has ended; the login page then clears the handle. */
export const GET = leaveEndedSession;
