package main

import (
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
	if err := run(&out, []string{first, second}); err == nil || !strings.Contains(err.Error(), "mode idle loses") {
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
	if err := run(&strings.Builder{}, []string{name}); err != nil {
		t.Error(err)
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
		if err := run(&out, []string{file(t, lines...)}); err == nil {
			t.Errorf("%s: it was taken:\n%s", name, out.String())
		}
	}
	if err := run(&strings.Builder{}, nil); err == nil {
		t.Error("no files: they were taken")
	}
}
