export { CustomerLayout as default } from "@/app/_texts/area-texts";
