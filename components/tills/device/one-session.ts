/**
 * Runs what begins or ends the session of this till, one after the other in all its tabs: an end that is answered late
 * would otherwise also remove who has signed in meanwhile.
 */
export function oneSession<T>(change: () => Promise<T>): Promise<T> {
  return navigator.locks.request("till-session", change);
}
