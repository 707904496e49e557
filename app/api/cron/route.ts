export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "../[...path]/route";

/** Seconds that the platform allows, since deliveries are slow. */
export const maxDuration = 60;
