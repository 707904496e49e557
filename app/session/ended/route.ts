/** Pages redirect here when the session has ended; the login page then clears the handle. */
export { leaveEndedSession as GET } from "@/lib/api/ended-session";
