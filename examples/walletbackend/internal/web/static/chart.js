// Draws the candles of the page of prices.
"use strict";

async function draw(place) {
  const answer = await fetch(place.dataset.candles);
  if (!answer.ok) throw new Error("no candles: " + answer.status);
  const data = await answer.json();
  const chart = LightweightCharts.createChart(place, {
    autoSize: true,
    layout: { attributionLogo: false, textColor: "#1f2933", background: { color: "#ffffff" } },
    grid: { vertLines: { color: "#e5e9ee" }, horzLines: { color: "#e5e9ee" } },
    timeScale: { timeVisible: true },
  });
  const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
    upColor: "#1a7f4b", wickUpColor: "#1a7f4b", downColor: "#b3261e", wickDownColor: "#b3261e", borderVisible: false,
    priceFormat: { type: "price", precision: 4, minMove: 0.0001 },
  });
  series.setData(data.candles);
  chart.timeScale().fitContent();
  place.dataset.drawn = data.candles.length;
}

const place = document.getElementById("chart");
if (place) draw(place).catch(() => { place.textContent = "The chart cannot be drawn at the moment."; });
