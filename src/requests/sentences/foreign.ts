import type { Sentence } from './words.js';

/** Small words of other languages that are no English words. */
const foreignWords = new Set(
  `der das und ist nicht noch wer wie viele welche welcher bitte zeig zeige mir mein meine meinem im für fällig überfällig
  schulung schulungen kurs kurse haben gibt wann woche monat letzte letzten
  qui que quels quelles les des est pas dans pour avec mon mes nous vous équipe terminé formation formations retard semaine mois
  quién quien quiénes cuántos cuantos los las del por para con equipo curso cursos terminado semana mes atrasados
  chi che gli della delle nel mia mio squadra corso corsi settimana mese completato scaduti
  quem quantos não nao uma minha meu equipa treinamento atrasado
  wie welke het een niet mijn hoeveel heeft hebben cursus deze vorige maand
  kto ile nie moim zespole szkolenie w kursy
  kim kaç ekibimde eğitim vem hur många inte mitt kurser`.split(/\s+/),
);

const minForeignWords = 2;

/** True for a sentence in another script, or with small words of other languages and unknown words. */
export function isForeign({ text, words }: Sentence, unknownCount: number): boolean {
  if (unknownCount === 0) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin * 2 < letters) return true;
  return words.filter(({ key }) => foreignWords.has(key)).length >= minForeignWords;
}
