package main

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// verdict is the result of the tests of a mutant.
type verdict int

const (
	survived  verdict = iota // every test that reaches it passes
	unreached                // no test reaches it
	killed                   // a test fails
	timeout                  // a test does not end
)

// judge runs the tests of each mutant until one fails.
func (p *plan) judge(scratch string, todo []int, jobs int) map[int]verdict {
	list := make([]verdict, len(todo))
	each(len(todo), jobs, func(i int) { list[i] = p.try(todo[i]) })
	verdicts := map[int]verdict{}
	for i, id := range todo {
		verdicts[id] = list[i]
	}
	return verdicts
}

func (p *plan) try(id int) verdict {
	var tests []*test
	for _, b := range p.binaries {
		if !p.judges(b, id) {
			continue
		}
		for _, t := range b.tests {
			if t.reached[id] {
				tests = append(tests, t)
			}
		}
	}
	if len(tests) == 0 {
		return unreached
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return int(a.took - b.took) })
	for _, batch := range batches(tests) {
		if v := run1(id, batch); v != survived {
			return v
		}
	}
	return survived
}

// batches splits tests, the fastest first: most mutants are killed before a slow test
// runs. A batch is of one binary.
func batches(tests []*test) [][]*test {
	const first = 300 * time.Millisecond
	var list [][]*test
	budget, left := first, tests
	for len(left) > 0 {
		var now, later []*test
		sum := time.Duration(0)
		for _, t := range left {
			if len(now) > 0 && (t.in != now[0].in || sum+t.took > budget) {
				later = append(later, t)
				continue
			}
			now, sum = append(now, t), sum+t.took
		}
		list, left, budget = append(list, now), later, budget*4
	}
	return list
}

// run1 runs tests of one binary with the mutant on.
func run1(id int, tests []*test) verdict {
	var names []string
	limit := 4 * time.Second
	for _, t := range tests {
		names = append(names, t.name)
		limit += 8 * t.took
	}
	cmd := tests[0].in.command("MUTANT="+strconv.Itoa(id),
		"-test.failfast", "-test.timeout", limit.String(), "-test.run", "^("+strings.Join(names, "|")+")$")
	ctx, cancel := context.WithTimeout(context.Background(), limit+time.Second)
	defer cancel()
	out, err := output(ctx, cmd)
	switch {
	case err == nil:
		return survived
	case ctx.Err() != nil || strings.Contains(out, "panic: test timed out"):
		return timeout
	}
	return killed
}

// command is a run of the tests in their folder. Its memory is bounded: a mutant may
// collect without end.
func (b *binary) command(env string, args ...string) *exec.Cmd {
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -v 6000000 2> /dev/null; exec "$0" "$@"`, b.path}, args...)...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its children end with it
	return cmd
}

// output runs the command and returns what it wrote.
func output(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var b strings.Builder
	cmd.Stdout, cmd.Stderr = &b, &b
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return "", err
	}
	end := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	stop := context.AfterFunc(ctx, end)
	defer stop()
	err := cmd.Wait()
	end() // what a test has started and left
	return b.String(), err
}
