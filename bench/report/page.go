package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/bench/internal/rows"
)

const head = `# Benchmarks

Written by ` + "`cd bench && go run ./report`" + `: do not edit. All columns of a row are measured in
one process and take turns, so that what else the machine does meets each of
them. A ratio is that of the best turns, ours over theirs: below 1 we are faster.
Times are processor time of that turn, garbage collection included; those of
TLS, of permits and of the signer are real time, of the signer the median.

Each row has a goal, and a bound: ` + "`go run ./report -check`" + `, a step of ` + "`.ci/run`" + `, fails if
a row is past its bound. The rows over TLS and of the signer, which wait
for sockets and for the disk, are measured, and not part of the check.

`

func write(docs string, all []measured, next map[string]rows.Figure) error {
	if err := plotRatios(filepath.Join(docs, "benchmarks.svg"), all); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(docs, "benchmarks.md"), []byte(page(all, next)), 0o644)
}

func page(all []measured, next map[string]rows.Figure) string {
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "Measured on %d cores, %s/%s, %s.\n\n",
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	b.WriteString("![Our time over that of each peer](benchmarks.svg)\n\n## Rows\n\n")
	b.WriteString("| work | figure | unit | goal | bound | |\n|---|---|---|---|---|---|\n")
	for _, m := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", m.Name, number(m.Value), m.Unit, number(m.Goal), number(m.Bound),
			strings.TrimPrefix(m.verdict(), ": "))
	}
	if missed := misses(all); missed != "" {
		b.WriteString("\n## Past their goal\n\n" + missed)
	}
	b.WriteString(
		"\n## Columns\n\nOurs over theirs, and the time of one operation.\n\n| work | | ratio | time |\n|---|---|---|---|\n",
	)
	for _, m := range all {
		for i, by := range m.Beside {
			name, ratio := "", number(by.Ratio)
			if i == 0 {
				name, ratio = m.Name, ""
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, by.Name, ratio, rounded(by.Best))
		}
	}
	b.WriteString(
		"\n## Go's next json package\n\nThe same decoders in a build with `GOEXPERIMENT=jsonv2`: ours over " +
			"`encoding/json`, which\nthat build makes of the new package, and over the new package itself.\n\n| work | " +
			"encoding/json | encoding/json/v2 |\n|---|---|---|\n",
	)
	for _, m := range all {
		if f, ok := next[m.Name]; ok {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, ratioOf(f, "encoding/json"), ratioOf(f, "encoding/json/v2"))
		}
	}
	return b.String() + "\n## Versions\n\n| library | version |\n|---|---|\n" + versions()
}

func misses(all []measured) string {
	var b strings.Builder
	for _, m := range all {
		if !m.MeetsGoal(m.Figure) {
			fmt.Fprintf(&b, "- %s: %s, not %s. %s\n", m.Name, number(m.Value), number(m.Goal), m.Why)
		}
	}
	return b.String()
}

func ratioOf(f rows.Figure, name string) string {
	for _, by := range f.Beside {
		if by.Name == name {
			return number(by.Ratio)
		}
	}
	return ""
}

// number has two digits after the point, and none that says nothing.
func number(v float64) string {
	if v >= 100 || v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func rounded(d time.Duration) string {
	switch {
	case d > 100*time.Microsecond:
		return d.Round(time.Microsecond).String()
	case d > time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	}
	return d.String()
}

// peers are the libraries whose versions matter to a ratio.
var peers = []string{
	"github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/go-resty/resty/v2",
	"github.com/google/go-github/v74",
	"github.com/openai/openai-go", "github.com/gagliardetto/solana-go", "golang.org/x/time",
}

func versions() string {
	info, _ := debug.ReadBuildInfo()
	of := map[string]string{}
	for _, module := range info.Deps {
		of[module.Path] = module.Version
	}
	var b strings.Builder
	for _, path := range peers {
		fmt.Fprintf(&b, "| %s | %s |\n", path, of[path])
	}
	return b.String()
}
