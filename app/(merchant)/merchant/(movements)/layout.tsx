export { MovementsLayout as default } from "@/app/_texts/area-texts";
