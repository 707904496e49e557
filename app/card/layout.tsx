export { CardLinksLayout as default } from "@/app/_texts/area-texts";
