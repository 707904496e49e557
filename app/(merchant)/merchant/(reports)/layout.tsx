export { ReportsLayout as default } from "@/app/_texts/area-texts";
