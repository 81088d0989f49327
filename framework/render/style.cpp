// SPDX-License-Identifier: Apache-2.0
#include "framework/render/style.hpp"

namespace mash {

const std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --panel: #ffffff; --text: #1f2630; --muted: #586270; --line: #dfe2e6; --grid: #e9ebee;
  --first: #1f5fa6; --second: #b04a0b; --third: #2b7352; --heat: 190 60 30; --cool: 30 100 170;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --panel: #1b1f26; --text: #e4e7eb; --muted: #a5adb8; --line: #343b45; --grid: #2a3039;
    --first: #86b6ee; --second: #f0a56b; --third: #83cba6; --heat: 226 104 66; --cool: 70 145 220;
  }
}
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --panel: #ffffff; --text: #000000; --muted: #444444; --line: #bbbbbb; --grid: #dddddd;
    --first: #1f5fa6; --second: #b04a0b; --third: #2b7352; --heat: 190 60 30; --cool: 30 100 170;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; }
h1 { font-size: 2rem; line-height: 1.2; font-weight: 650; margin: 0 0 .4rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; font-weight: 600; margin: 0 0 .4rem; }
p { margin: 0 0 1rem; max-width: 46rem; }
p, li, dd { overflow-wrap: anywhere; }
.lead, .note, figcaption, caption { color: var(--muted); }
.lead { font-size: 1.05rem; }
section { margin: 3.2rem 0; }
section.folded { margin: 0; border-top: 1px solid var(--line); }
section.folded:last-child { border-bottom: 1px solid var(--line); }
section:not(.folded) + section.folded { margin-top: 3.2rem; }
summary { padding: .7rem 0; cursor: pointer; }
summary h2 { display: inline; font-size: 1.05rem; margin: 0; }
details[open] { padding-bottom: 2rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: 1rem 0 0; padding: 0; }
a { color: var(--first); text-underline-offset: .2em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--first); outline-offset: 3px; border-radius: 2px; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; margin: 2rem 0 0;
  background: var(--line); border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; }
.figures div { background: var(--panel); padding: 1rem 1.2rem; }
.figures dt { color: var(--muted); font-size: .85rem; }
.figures dd { margin: .1rem 0 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.3; }
.figures dd small { display: block; font-size: .8rem; font-weight: 400; color: var(--muted); }
@media (max-width: 60rem) { .figures { grid-template-columns: repeat(2, 1fr); } }
@media (max-width: 40rem) {
  .figures div { padding: .7rem .8rem; }
  .figures dd { font-size: 1.15rem; }
}
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
.wide > table { width: 100%; }
caption { text-align: left; padding: 0 0 .7rem; font-size: .92rem; }
th, td { padding: .38rem .7rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 500; font-size: .85rem; vertical-align: bottom; }
tbody th { font-weight: 600; }
.name { text-align: left; overflow-wrap: anywhere; min-width: 5.5rem; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
.dense { font-size: .85rem; }
.dense thead .name { overflow-wrap: normal; }
.dense th, .dense td { padding: .32rem .42rem; }
@media (max-width: 60rem) {
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked, .stacked tbody, .stacked caption { display: block; font-size: .92rem; }
  .stacked tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .1rem 1rem;
    padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .stacked th, .stacked td { display: block; padding: 0; border: 0; text-align: left; white-space: normal; }
  .stacked tbody th { grid-column: 1 / -1; order: -1; }
  .stacked td::before { content: attr(data-title) " "; color: var(--muted); font-size: .85rem; }
}
@media (max-width: 40rem) {
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  th, td { padding: .38rem .4rem; }
}
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 0; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem; }
.panel figcaption { text-align: right; font-size: .8rem; margin-top: .3rem; }
.panel + .note { margin-top: .7rem; }
.on-narrow { display: none; }
@media (max-width: 40rem) {
  .on-wide { display: none; }
  .on-narrow { display: block; max-width: 30rem; }
  .charts .panel, .panel { padding: .8rem .7rem; }
}
svg { display: block; width: 100%; height: auto; overflow: visible; font: 13px system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
svg text { fill: var(--muted); }
svg .strong { fill: var(--text); }
svg .heading { fill: var(--text); font-weight: 600; font-size: 14px; }
svg .grid { stroke: var(--grid); stroke-width: 1; }
svg .axis { stroke: var(--line); stroke-width: 1; }
svg .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
svg .first { stroke: var(--first); } svg .second { stroke: var(--second); } svg .third { stroke: var(--third); }
svg .second.curve { stroke-dasharray: 6 4; } svg .third.curve { stroke-dasharray: 2 4; }
svg .dot { stroke-width: 2; fill: var(--panel); }
svg .bar { fill: var(--first); }
svg .band { fill-opacity: .16; stroke: none; }
svg .band.first { fill: var(--first); } svg .band.second { fill: var(--second); } svg .band.third { fill: var(--third); }
svg .zero { stroke: var(--text); stroke-width: 1.5; }
svg .interval { stroke: var(--first); stroke-width: 2; }
svg .mean { fill: var(--first); }
svg .interval.own { stroke: var(--second); }
svg .mean.own { fill: var(--second); }
svg .mean.hollow { fill: var(--panel); stroke: var(--first); stroke-width: 2; }
svg .mean.own.hollow { stroke: var(--second); }
svg .seed { fill: var(--panel); stroke: var(--muted); stroke-width: 1.3; }
svg .point { fill: var(--first); fill-opacity: .65; }
svg .point.own { fill: var(--second); fill-opacity: 1; stroke: var(--panel); stroke-width: 1.5; }
svg .front { stroke: var(--third); }
svg text.own { fill: var(--second); font-weight: 600; }
svg .branch { fill: none; stroke: var(--muted); stroke-width: 1.3; }
svg .branch.own { stroke: var(--second); stroke-width: 2.2; }
.confusion td, .confusion thead th { text-align: center; min-width: 1.8rem; padding: .35rem .2rem; }
.confusion thead th { vertical-align: bottom; }
.confusion thead span { display: inline-block; max-height: 9rem; }
.confusion.long thead span { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; }
@media (max-width: 40rem) {
  .confusion { font-size: .68rem; }
  .confusion th, .confusion td, .confusion thead th { min-width: 1.3rem; padding: .3rem .05rem; }
}
.confusion tbody th { text-align: right; padding-right: .8rem; }
.confusion td { background: rgb(var(--heat) / calc(var(--share, 0) * .5)); }
.confusion td.better { background: rgb(var(--cool) / calc(var(--share, 0) * .5)); }
.confusion td.unused { background: none; border-color: transparent; }
.confusion td.right { font-weight: 600; background: none; }
.confusion td.none { color: var(--muted); }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1.2rem 1rem; list-style: none;
  margin: 1.2rem 0 0; padding: 0; }
@media (max-width: 40rem) { .pictures { grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); } }
.pictures img { width: 100%; height: auto; max-width: 9.5rem; display: block; image-rendering: pixelated; border-radius: .3rem;
  border: 1px solid var(--line); }
.pictures figcaption { font-size: .85rem; margin-top: .35rem; line-height: 1.4; }
.pictures b { color: var(--text); }
.pictures svg { max-width: 18rem; border: 1px solid var(--line); }
svg .photo { image-rendering: pixelated; }
svg .speaks-for { fill: rgb(var(--heat)); } svg .speaks-against { fill: rgb(var(--cool)); }
.marked { background: rgb(var(--cool) / .14); }
.shaded { background: rgb(var(--cool) / .06); }
.headline { font-size: 1.3rem; line-height: 1.4; font-weight: 600; border-left: .3rem solid var(--first); padding-left: .9rem; }
.headline.good { color: var(--third); border-color: var(--third); }
.headline.bad { color: var(--second); border-color: var(--second); }
main li { max-width: 46rem; }
.pictures li { max-width: none; }
.charts > figure { max-width: 40rem; min-width: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem; }
.cards h3 { margin-top: 0; overflow-wrap: anywhere; }
.cards article { min-width: 0; max-width: 34rem; }
.map { display: flex; gap: 1rem; align-items: center; margin-top: .8rem; }
.map img { width: 9rem; height: auto; image-rendering: pixelated; border: 1px solid var(--line); }
.map figcaption, .legend figcaption { font-size: .85rem; }
.legend { max-width: 22rem; margin: 0 0 1.2rem; }
section .figures { margin: 1rem 0 1.5rem; }
.panel + .wide, .wide + .wide, .wide + .panel, .charts + .panel, .wide + p, .wide + ul { margin-top: 1.2rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem;
  white-space: pre-wrap; overflow-wrap: anywhere;
  font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; margin: 0 0 1.2rem; }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.6rem 0 .5rem; }
footer { color: var(--muted); font-size: .85rem; padding-top: 1.5rem; padding-bottom: 3rem; }
@media print {
  body { font-size: 10pt; }
  header { padding-top: 0; }
  nav { display: none; }
  section { margin: 1.6rem 0; }
  h2, h3 { break-after: avoid; }
  figure, tr, .figures, .pictures li { break-inside: avoid; }
  .wide { overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .csv { display: none; }
  .cards article { break-inside: avoid; }
  .confusion td, .marked, .map img, svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace mash
