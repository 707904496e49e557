export { TillMovementsLayout as default } from "@/app/_texts/area-texts";
