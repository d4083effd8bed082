package main

import (
	"bytes"
	"errors"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// page shows the figures, the days and the charts. It has no script and loads nothing:
// a browser shows it without a network.
var page = template.Must(template.New("report").Funcs(template.FuncMap{"dollars": dollars, "signed": signed}).
	Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trading bot: {{.From}} to {{.To}}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }
svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
th, td { text-align: right; padding: .2rem .8rem; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
pre { overflow-x: auto; background: #f5f5f2; padding: 1rem; }
</style>
<h1>Trading bot, {{.From}} to {{.To}}</h1>
<pre>{{.Figures}}</pre>
<h2>Days</h2>
<table>
<tr><th>day (UTC)<th>equity, USDC<th>change, USDC<th>trades<th>open positions<th>intents unsure so far</tr>
{{range .Days}}<tr><td>{{.Date}}<td>{{dollars .Equity}}<td>{{signed .Change}}
<td>{{.Trades}}<td>{{.Open}}<td>{{.Unsure}}</tr>
{{end}}</table>
<h2>Charts</h2>
{{range .Charts}}<figure>{{.}}</figure>
{{end}}</html>
`))

// writePage writes report.html and a PNG of each chart to a folder, and returns the
// names of the files.
func (b *bot) writePage(folder, figures string) ([]string, error) {
	pictures := b.pictures()
	if len(pictures) == 0 {
		return nil, nil
	}
	names := []string{"report.html"}
	var drawn []template.HTML
	for _, p := range pictures {
		var svg bytes.Buffer
		if err := p.figure.WriteSVG(&svg); err != nil {
			return nil, err
		}
		_, inner, _ := strings.Cut(svg.String(), "<svg")   // without the XML declaration, which HTML has no place for
		drawn = append(drawn, template.HTML("<svg"+inner)) //nolint:gosec // gonum escapes the texts in it
		if err := write(filepath.Join(folder, p.name+".png"), p.figure.WritePNG); err != nil {
			return nil, err
		}
		names = append(names, p.name+".png")
	}
	return names, write(filepath.Join(folder, "report.html"), func(w io.Writer) error {
		return page.Execute(w, map[string]any{
			"From": b.samples[0].At.Format("2 January 2006"), "To": b.samples[len(b.samples)-1].At.Format("2 January 2006"),
			"Figures": figures, "Days": b.log.days, "Charts": drawn,
		})
	})
}

func write(path string, content func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(content(file), file.Close())
}
