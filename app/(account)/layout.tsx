export { AccountLayout as default } from "@/app/_texts/area-texts";
