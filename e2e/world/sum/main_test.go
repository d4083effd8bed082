package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func file(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ranges")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSum(t *testing.T) {
	first := file(t,
		`{"mode":"idle","from":1,"to":10,"each":5,"keys":50,"twice":1,"unsettled":2,"told":3,"provable":4,"noProof":5}`,
		`{"mode":"forks","from":1,"to":10,"each":5,"keys":50,"false":2,"kinds":{"changed":2}}`)
	second := file(t, `{"mode":"idle","from":11,"to":12,"each":5,"keys":10,"twice":1,"told":1,"provable":1}`)
	var out strings.Builder
	if err := run(&out, 99, []string{first, second}); err == nil || !strings.Contains(err.Error(), "mode idle loses") {
		t.Errorf("of ranges that lose: %v", err)
	}
	want := "mode=idle keys=60 executed twice=2 false verdicts=0 unsettled=2 told within 90s=4/5 no proof=5\n" +
		"mode=forks keys=50 executed twice=0 false verdicts=2 unsettled=0 told within 90s=0/0 no proof=0\n" +
		"modes=2 keys=110 twice=2 false=2\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestSumOfNoLoss(t *testing.T) {
	name := file(t, `{"mode":"idle","from":1,"to":10,"each":5,"keys":50}`)
	if err := run(&strings.Builder{}, 99, []string{name}); err != nil {
		t.Error(err)
	}
}

// TestSumOfLate: a mode of which too few were told in time, over all ranges, is an error, unless that is not asked
// of it or there are too few to say so.
func TestSumOfLate(t *testing.T) {
	form := `{"mode":%q,"from":%d,"to":%[2]d,"each":5,"keys":500,"told":%[3]d,"provable":%[4]d}`
	for _, c := range []struct {
		name, mode     string
		told, provable int // in each of two ranges
		percent        float64
		late           bool
	}{
		{"99 %", "gaps", 198, 200, 99, false},
		{"less", "gaps", 197, 200, 99, true},
		{"less, and each range has too few", "gaps", 97, 100, 99, true},
		{"too few", "gaps", 97, 99, 99, false},
		{"more is asked", "gaps", 198, 200, 99.5, true},
		{"nothing is asked", "gaps", 0, 200, 0, false},
		{"not of this mode", "mixed", 0, 200, 99, false},
	} {
		name := file(t, fmt.Sprintf(form, c.mode, 1, c.told, c.provable), fmt.Sprintf(form, c.mode, 2, c.told, c.provable))
		err := run(&strings.Builder{}, c.percent, []string{name})
		if (err != nil) != c.late || c.late && !strings.Contains(err.Error(), "mode gaps: ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSumRefuses(t *testing.T) {
	whole := `{"mode":"idle","from":1,"to":10,"each":5,"keys":50}`
	for name, lines := range map[string][]string{
		"overlap":  {whole, `{"mode":"idle","from":10,"to":12,"each":5,"keys":15}`},
		"the same": {whole, whole},
		"inside":   {whole, `{"mode":"idle","from":3,"to":4,"each":5,"keys":10}`},
		"no keys":  {`{"mode":"idle","from":1,"to":10,"each":5}`},
		"backward": {`{"mode":"idle","from":10,"to":1,"each":5,"keys":50}`},
		"no lines": {""},
		"garbled":  {whole + "}"},
	} {
		var out strings.Builder
		if err := run(&out, 99, []string{file(t, lines...)}); err == nil {
			t.Errorf("%s: it was taken:\n%s", name, out.String())
		}
	}
	if err := run(&strings.Builder{}, 99, nil); err == nil {
		t.Error("no files: they were taken")
	}
}
