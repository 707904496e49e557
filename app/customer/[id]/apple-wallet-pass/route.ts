/** The specification's page route: the pass itself, from the same handler. */
export { GET } from "@/app/api/customer/[id]/apple-wallet-pass/route";
