package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// TestTrials: each kind and each breakage comes often enough, and the same seed makes the
// same cases.
func TestTrials(t *testing.T) {
	const n = 1500
	all, again := trials(3, n), trials(3, n)
	counts := map[string]int{}
	for i, c := range all {
		counts[c.kind.name]++
		counts[c.breakage.name]++
		s, p, fits := c.build(1000)
		if !fits {
			t.Fatalf("case %d: %s does not fit %s", c.number, c.breakage.name, c.kind.name)
		}
		_, q, _ := again[i].build(1000)
		a := compile(p.payer, [32]byte{}, p.format, s.table, p.all).sign(s.keys)
		b := compile(q.payer, [32]byte{}, q.format, s.table, q.all).sign(s.keys)
		if string(a) != string(b) {
			t.Fatalf("case %d is not the same each time", c.number)
		}
	}
	for _, k := range kinds() {
		if counts[k.name] < 10 {
			t.Errorf("%s: %d cases", k.name, counts[k.name])
		}
	}
	for _, b := range breakages {
		if counts[b.name] < 10 {
			t.Errorf("%s: %d cases", b.name, counts[b.name])
		}
	}
	if len(counts) != len(kinds())+len(breakages) {
		t.Errorf("two names are the same: %d", len(counts))
	}
}

// TestBreakagesBreak: a breakage changes what is sent.
func TestBreakagesBreak(t *testing.T) {
	for _, b := range breakages[1:] {
		changed := 0
		for number := range 200 {
			c := trial{seed: 5, number: number, kind: kinds()[number%len(kinds())], breakage: b}
			s, p, fits := c.build(1000)
			if !fits {
				continue
			}
			c.breakage = breakages[0]
			_, q, _ := c.build(1000)
			broken, whole := compile(p.payer, [32]byte{}, p.format, s.table, p.all), compile(q.payer, [32]byte{}, q.format, s.table, q.all)
			if p.message != nil {
				p.message(&broken)
			}
			wire := broken.sign(s.keys)
			if p.wire != nil {
				wire = p.wire(wire)
			}
			if p.twice || string(wire) != string(whole.sign(s.keys)) {
				changed++
			}
		}
		if changed < 10 {
			t.Errorf("%s changes %d transactions", b.name, changed)
		}
	}
}

// TestMessage: solana-go reads what is encoded here, tables included.
func TestMessage(t *testing.T) {
	read := map[format]int{}
	for _, c := range trials(9, 400) {
		if c.breakage.name != "valid" {
			continue
		}
		s, p, _ := c.build(1000)
		if p.format == v1 {
			continue // solana-go does not know it
		}
		wire := compile(p.payer, [32]byte{1}, p.format, s.table, p.all).sign(s.keys)
		tx, err := solana.TransactionFromBytes(wire)
		if err != nil {
			t.Fatalf("%s: %v", c.kind.name, err)
		}
		if again, err := tx.MarshalBinary(); err != nil || string(again) != string(wire) {
			t.Fatalf("%s: encoded another way, %v", c.kind.name, err)
		}
		if len(tx.Message.AddressTableLookups) == 0 {
			if err := tx.VerifySignatures(); err != nil {
				t.Fatalf("%s: %v", c.kind.name, err)
			}
		}
		read[p.format]++
	}
	if read[v0] < 20 || read[legacy] < 20 {
		t.Errorf("read %v", read)
	}
}

func said(landed bool, err string, accounts ...*account) verdict {
	return verdict{Landed: landed, Error: json.RawMessage(err), Accounts: accounts}
}

// TestCompare: what differs is told.
func TestCompare(t *testing.T) {
	a := account{Key: "a", Lamports: 5, Owner: "o", Data: []byte{1}}
	with := func(f func(b *account)) *account {
		b := account{Key: "a", Lamports: 5, Owner: "o", Data: []byte{1}}
		f(&b)
		return &b
	}
	for name, c := range map[string]struct {
		runtime, sandbox verdict
		differ           bool
	}{
		"the same":          {said(true, "null", &a), said(true, "", &a), false},
		"none":              {said(true, "null", nil), said(true, "null", nil), false},
		"blanks":            {said(true, `{"InstructionError":[0,"X"]}`), said(true, `{"InstructionError": [0, "X"]}`), false},
		"another error":     {said(true, `{"InstructionError":[0,"X"]}`), said(true, `{"InstructionError":[0,"Y"]}`), true},
		"another place":     {said(true, `{"InstructionError":[0,"X"]}`), said(true, `{"InstructionError":[1,"X"]}`), true},
		"refused or failed": {said(false, `"X"`), said(true, `"X"`), true},
		"runs or fails":     {said(true, "null"), said(true, `"X"`), true},
		"lamports":          {said(true, "null", &a), said(true, "null", with(func(b *account) { b.Lamports = 4 })), true},
		"owner":             {said(true, "null", &a), said(true, "null", with(func(b *account) { b.Owner = "p" })), true},
		"data":              {said(true, "null", &a), said(true, "null", with(func(b *account) { b.Data = []byte{2} })), true},
		"length":            {said(true, "null", &a), said(true, "null", with(func(b *account) { b.Data = nil })), true},
		"only in one":       {said(true, "null", &a), said(true, "null", nil), true},
		"only in the other": {said(true, "null", nil), said(true, "null", &a), true},
	} {
		o := outcome{runtime: c.runtime, sandbox: c.sandbox}
		if o.compare(); (o.class != "") != c.differ {
			t.Errorf("%s: %q", name, o.class)
		}
	}
}

// TestLogs: lines are compared but for the units in them, which are compared kind by kind.
func TestLogs(t *testing.T) {
	log := func(units string) []string {
		spent := "Program P consumed " + units + " of 9 compute units"
		return []string{"Program P invoke [1]", "Program log: Instruction: X", spent}
	}
	if d := logsDiffer(log("1"), log("2")); d != "" {
		t.Error(d)
	}
	for _, other := range [][]string{nil, log("1")[:2], append(log("1"), "Program P success"), {"Program P invoke [2]"}} {
		if logsDiffer(log("1"), other) == "" {
			t.Errorf("%q is taken for the same", other)
		}
	}
}

// TestUnits: those count that the program spent which the transaction names, and a kind is wrong if it is more
// than a tenth away in the mean.
func TestUnits(t *testing.T) {
	executed := func(inner, own, sandbox string) outcome {
		log := func(units string) []string {
			p := tokenProgram.String()
			return []string{"Program A invoke [1]", "Program A success", "Program " + p + " invoke [1]",
				"Program " + p + " invoke [2]", "Program " + p + " consumed " + inner + " of 9 compute units",
				"Program " + p + " success", "Program " + p + " consumed " + units + " of 9 compute units"}
		}
		o := outcome{trial: trial{kind: kind{name: "k"}, breakage: breakage{name: "b"}}}
		o.all = []ins{{name: "k", program: tokenProgram}}
		o.runtime, o.sandbox = said(true, "null"), said(true, "null")
		o.runtime.Logs, o.sandbox.Logs = log(own), log(sandbox)
		return o
	}
	for name, c := range map[string]struct {
		all  []outcome
		good bool
	}{
		"within":  {slices.Repeat([]outcome{executed("5", "100", "110")}, 3), true},
		"beyond":  {slices.Repeat([]outcome{executed("5", "100", "111")}, 3), false},
		"below":   {slices.Repeat([]outcome{executed("5", "100", "89")}, 3), false},
		"too few": {slices.Repeat([]outcome{executed("5", "100", "111")}, 2), true},
		"in mean": {slices.Repeat([]outcome{executed("5", "100", "130"), executed("5", "100", "80")}, 2), true},
		"its log": {[]outcome{executed("5", "100", "x")}, false},
	} {
		r := newReport(c.all, nil)
		if got := r.closeLogs(t.Output(), 98); got != c.good {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestClose: the judge is content only if all of it holds.
func TestClose(t *testing.T) {
	outcomes := func(agree, refused, listed int) []outcome {
		var all []outcome
		for i := range 200 {
			o := outcome{trial: trial{kind: kind{name: "k"}, breakage: breakage{name: "b"}}}
			o.runtime = said(true, "null")
			if i < refused {
				o.runtime = said(true, `"X"`)
			}
			if i >= agree {
				o.class = "differs"
			}
			if i >= 200-listed {
				o.class = "on purpose"
			}
			all = append(all, o)
		}
		return all
	}
	reasons := []reason{{Instructions: []string{"k"}, Class: "on purpose", Reason: "why"}}
	for name, c := range map[string]struct {
		all  []outcome
		good bool
	}{
		"good":           {outcomes(200, 80, 0), true},
		"just":           {outcomes(196, 80, 4), true},
		"one less":       {outcomes(195, 80, 4), false},
		"few refused":    {outcomes(200, 79, 0), false},
		"many listed":    {outcomes(195, 80, 5), false},
		"too few a row":  {outcomes(200, 80, 0)[:9], false},
		"nothing at all": {nil, false},
	} {
		if got := newReport(c.all, reasons).close(t.Output(), 98); got != c.good {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestListed: the list can be read, and an entry that does not say what it is of cannot.
func TestListed(t *testing.T) {
	if all, err := readListed("listed.json"); err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, entry := range []string{
		`"class": "differs", "instructions": ["Memo"]`, `"class": "differs", "reason": "why"`,
		`"instructions": ["Memo"], "reason": "why"`, `"class": "differs", "instructions": [""], "reason": "why"`,
		`"class": "differs", "instructions": ["M"], "reason": "why"`,
		`"class": "differs", "instructions": ["Memo"], "breakages": ["few"], "reason": "why"`,
	} {
		name := filepath.Join(t.TempDir(), "listed.json")
		if err := os.WriteFile(name, []byte("[{"+entry+"}]"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readListed(name); err == nil {
			t.Errorf("an entry is read: %s", entry)
		}
	}
}

// TestListedIsNarrow: an entry is of the errors that it names, in the instructions that it names, and of no others.
func TestListedIsNarrow(t *testing.T) {
	failing := func(at, error string) string { return `{"InstructionError":[` + at + `,"` + error + `"]}` }
	differing := func(all []ins, runtime, sandbox string) outcome {
		o := outcome{trial: trial{kind: kind{name: "Token.Burn"}, breakage: breakage{name: "few units"}}, all: all}
		o.runtime, o.sandbox = said(true, runtime), said(true, sandbox)
		o.compare()
		return o
	}
	memo, burn, mint := ins{name: "Memo"}, ins{name: "Token.Burn"}, ins{name: "Token-2022.Burn"}
	class := `in the runtime it fails with {"InstructionError":["X"]}, in the sandbox it fails with {"InstructionError":["Y"]}`
	one := reason{Instructions: []string{"Token"}, Breakages: []string{"few units"}, Class: class, Reason: "why"}
	all := one
	all.Class = "^in the runtime .*"
	for name, c := range map[string]struct {
		reason reason
		o      outcome
		fits   bool
	}{
		"as it says":           {one, differing([]ins{memo, burn}, failing("1", "X"), failing("1", "Y")), true},
		"another error":        {one, differing([]ins{memo, burn}, failing("1", "X"), failing("1", "Z")), false},
		"the other way around": {one, differing([]ins{memo, burn}, failing("1", "Y"), failing("1", "X")), false},
		"it runs in one":       {one, differing([]ins{memo, burn}, failing("1", "X"), "null"), false},
		"another instruction":  {one, differing([]ins{memo, burn}, failing("0", "X"), failing("0", "Y")), false},
		"another program":      {one, differing([]ins{memo, mint}, failing("1", "X"), failing("1", "Y")), false},
		"two instructions":     {one, differing([]ins{burn, burn}, failing("0", "X"), failing("1", "Y")), false},
		"an expression":        {all, differing([]ins{memo, burn}, failing("1", "X"), failing("1", "Y")), false},
	} {
		if c.o.class == "" || c.reason.fits(c.o) != c.fits {
			t.Errorf("%s: fits %t", name, !c.fits)
		}
	}
	other := differing([]ins{burn}, failing("0", "X"), failing("0", "Y"))
	if other.trial.breakage.name = "valid"; one.fits(other) {
		t.Error("another breakage: fits")
	}
}

// TestApart: the bytes that differ are told by the word.
func TestApart(t *testing.T) {
	a, b := make([]byte, 82), make([]byte, 82)
	for _, c := range [][3]int{{41, 40, 48}, {9, 8, 48}, {81, 8, 82}} {
		b[c[0]]++
		if first, end := apart(a, b); first != c[1] || end != c[2] {
			t.Errorf("%d to %d", first, end)
		}
	}
}
