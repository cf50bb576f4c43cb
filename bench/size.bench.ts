/** What a browser fetches to reach a page: the page, code, styles and the texts of one language, gzip. The one font, 47 KiB, is fetched once and not counted. */
import { kib, readBuild, screens } from '../apps/console/fetched.ts'
import { figure } from './installation.ts'

const build = readBuild()
console.log('| to reach | KiB (gzip) |\n|---|---|')
const print = (name: string, files: readonly string[]) => console.log(`| ${name} | ${figure(kib(files), 0)} |`)
print('sign-in', build.signIn())
print('shell', build.shell())
for (const screen of screens()) print(`${screen.room}/${screen.name.replace(/Screen\.tsx$/, '')}`, build.screen(screen))
print('a list nobody drew', build.declaredList())
