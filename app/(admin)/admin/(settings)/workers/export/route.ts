export { downloadWorkers as GET } from "@/app/_panels/downloads";
