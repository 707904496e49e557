export { TopupLayout as default } from "@/app/_texts/area-texts";
