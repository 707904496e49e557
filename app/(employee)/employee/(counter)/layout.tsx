export { CounterLayout as default } from "@/app/_texts/area-texts";
