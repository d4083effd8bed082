// Draws the candles of the page of prices.
"use strict";

const at = (seconds, parts) => new Date(seconds * 1000).toLocaleString("en-GB", { timeZone: "UTC", ...parts });
const day = (seconds) => at(seconds, { day: "numeric", month: "short" });
const hour = (seconds) => at(seconds, { hour: "2-digit", minute: "2-digit" });

// tick writes a mark of the axis: the day where one begins, else the hour.
function tick(seconds, kind) {
  return kind <= LightweightCharts.TickMarkType.DayOfMonth ? day(seconds) : hour(seconds);
}

async function draw(place) {
  const answer = await fetch(place.dataset.candles);
  if (!answer.ok) throw new Error("no candles: " + answer.status);
  const data = await answer.json();
  const chart = LightweightCharts.createChart(place, {
    autoSize: true,
    layout: { attributionLogo: false, textColor: "#1f2933", background: { color: "#ffffff" } },
    grid: { vertLines: { color: "#e5e9ee" }, horzLines: { color: "#e5e9ee" } },
    timeScale: { timeVisible: true, tickMarkFormatter: tick },
    localization: { timeFormatter: (seconds) => day(seconds) + " " + hour(seconds) + " UTC" },
  });
  const digits = data.candles.some((c) => c.high >= 10) ? 2 : 4;
  const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
    upColor: "#1a7f4b", wickUpColor: "#1a7f4b", downColor: "#b3261e", wickDownColor: "#b3261e", borderVisible: false,
    priceFormat: { type: "price", precision: digits, minMove: 10 ** -digits },
  });
  series.setData(data.candles);
  chart.timeScale().fitContent();
  place.dataset.drawn = data.candles.length;
}

const place = document.getElementById("chart");
if (place) draw(place).catch(() => { place.textContent = "The chart cannot be drawn at the moment."; });
