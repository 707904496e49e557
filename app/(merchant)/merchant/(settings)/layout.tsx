export { SettingsLayout as default } from "@/app/_texts/area-texts";
