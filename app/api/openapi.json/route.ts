export { documentRoute as GET } from "./document";
