package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// everything has at least one place for each operator, and constructs that a
// careless change would not let compile.
const everything = `package p

import (
	"errors"
	"time"
)

type kind int
type flag bool

const most = 16

var table = map[string]struct{ n int; d time.Duration }{"a": {1, 2 * time.Second}}
var lens = [most]int{2: 7}

func pair() (int, error) { return most, nil }

func All(n int, ok flag, s []byte) (k kind, list []byte, err error) {
	defer func() { recover() }()
	var word [4]byte
	word[0]++
	if n > 3 && len(s) == most || bool(ok) { // a comment
		return kind(n), append(s,
			'a', // another
			byte(n)), errors.New("x")
	}
	switch n {
	case 1, most:
		n += 2
	case 3:
		n = n*2 - 7/(n+1)%5 | 8&n ^ 1
	}
	list = make([]byte, 3, 64)
	for i := 0; i < 2; i++ {
		if i == 1 {
			continue
		}
		list[i] = byte(1 << i)
	}
	f := func(x uint64) (uint64, bool) {
		if x != 0 { return x<<3 + uint64(lens[0]), true }
		return 0, false
	}
	if _, fine := f(4); !fine {
		break_()
	}
	_, err = pair()
	if err != nil {
		return 0, nil, err
	}
	ch := make(chan int, 1)
	ch <- n
	select {
	case <-ch:
		go break_()
	case <-time.After(time.Second):
	}
	return k, list, wrapped(&k)
}

func wrapped(k *kind) error { *k = 2; _, err := pair(); return err }

func both() (int, error) { return pair() }

func break_() {
loop:
	for {
		if len(table) > 0 { break loop }
	}
	if false { panic("no") }
	var later = time.Duration(float64(time.Second) * 1.5)
	_ = later
}

func Generic[T ~int | ~float64](a, b T) T { if a < b { return a + b }; return a }
`

const everythingTest = `package p

import "testing"

func TestAll(t *testing.T) {
	k, list, err := All(5, false, make([]byte, 4))
	if k != 2 || len(list) != 3 || err != nil { t.Fatal(k, list, err) }
	if n, err := both(); n != 16 || err != nil { t.Fatal(n, err) }
	if Generic(1, 2) != 3 { t.Fatal("generic") }
}
`

// TestEveryOperator holds that each operator is used, that the changed source
// compiles, and that with no mutant on it does what it did: the results of a return
// are read in the same order. Equal changes of a function have names of their own.
func TestEveryOperator(t *testing.T) {
	dir := inModule(t, map[string]string{"p/p.go": everything, "p/p_test.go": everythingTest})
	p, err := newPlan(dir, t.TempDir(), []area{{name: "p", packages: []string{"./p"}}})
	require.NoError(t, err)
	ops, texts, known := map[string]int{}, map[string]bool{}, map[mutant]bool{}
	for i, m := range p.mutants {
		require.Equal(t, i, m.ID)
		ops[m.Op]++
		texts[m.Op+" "+m.Text] = true
		require.False(t, known[m.identity()], "%v", m)
		known[m.identity()] = true
	}
	for _, op := range []string{
		"ignore error", "negate", "boundary", "logical", "arithmetic", "+1", "-1", "remove", "return zero",
	} {
		require.NotZero(t, ops[op], op)
	}
	require.True(t, texts["return zero append(s, 'a', byte(n))"], "on one line, without the comment")
	require.True(t, texts["negate bool(ok)"])
	require.False(t, texts["+1 64"], "a capacity changes nothing")
	out, err := p.binaries[0].command("", "-test.v").CombinedOutput()
	require.NoError(t, err, "%s", out)

	require.Contains(t, string(out), "PASS: TestAll")
}

// TestMemoryIsBounded holds that a test which collects without end is
// stopped by the bound on memory, not by the machine.
func TestMemoryIsBounded(t *testing.T) {
	b := &binary{path: "/bin/sh", dir: t.TempDir()}
	out, err := b.command("", "-c", "ulimit -v").Output()
	require.NoError(t, err)
	require.Equal(t, "6000000\n", string(out))
	var exit *exec.ExitError
	require.ErrorAs(t, b.command("", "-c", "exit 3").Run(), &exit)
	require.Equal(t, 3, exit.ExitCode())
}
