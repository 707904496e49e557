import { otherMethods } from "@/lib/http/other-methods";

export { documentRoute as GET } from "./document";

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
