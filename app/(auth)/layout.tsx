export { SignInLayout as default } from "@/app/_texts/area-texts";
