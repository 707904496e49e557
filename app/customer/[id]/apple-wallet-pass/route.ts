/** The page route of the specification, with the handler of the API. */
export { GET } from "@/app/api/customer/[id]/apple-wallet-pass/route";
