package scripttest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// Event is one line of a script: its name and its arguments, each of which has to be
// asked for.
type Event struct {
	Name string

	t    *testing.T
	args []datadriven.CmdArg
}

// arg takes the argument of that name.
func (e *Event) arg(name string) (value string, ok bool) {
	i := slices.IndexFunc(e.args, func(a datadriven.CmdArg) bool { return a.Key == name })
	if i < 0 {
		return "", false
	}
	value = strings.Join(e.args[i].Vals, ", ")
	e.args = slices.Delete(e.args, i, i+1)
	return value, true
}

// First is the first argument that is left, which has no name.
func (e *Event) First() string {
	e.t.Helper()
	if len(e.args) == 0 || len(e.args[0].Vals) > 0 {
		e.fail("an argument is missing")
	}
	value := e.args[0].Key
	e.args = e.args[1:]
	return value
}

// Rest are the arguments that are left, which have no names.
func (e *Event) Rest() (all []string) {
	for len(e.args) > 0 {
		all = append(all, e.First())
	}
	return all
}

// Has reports whether there is an argument of that name.
func (e *Event) Has(name string) bool {
	_, ok := e.arg(name)
	return ok
}

// Text is the value of that name.
func (e *Event) Text(name, standard string) string {
	if value, ok := e.arg(name); ok {
		return value
	}
	return standard
}

// Int is the number of that name.
func (e *Event) Int(name string, standard int) int {
	e.t.Helper()
	return parsed(e, name, standard, strconv.Atoi)
}

// Duration is the duration of that name.
func (e *Event) Duration(name string, standard time.Duration) time.Duration {
	e.t.Helper()
	return parsed(e, name, standard, time.ParseDuration)
}

// Lasts is the first argument, as a duration.
func (e *Event) Lasts() time.Duration {
	e.t.Helper()
	d, err := time.ParseDuration(e.First())
	if err != nil {
		e.fail(err.Error())
	}
	return d
}

func parsed[T any](e *Event, name string, standard T, parse func(string) (T, error)) T {
	e.t.Helper()
	text, ok := e.arg(name)
	if !ok {
		return standard
	}
	value, err := parse(text)
	if err != nil {
		e.fail(err.Error())
	}
	return value
}

// Unknown fails: no driver knows such an event.
func (e *Event) Unknown() {
	e.t.Helper()
	e.fail("there is no such event")
}

// used fails if an argument was not asked for.
func (e *Event) used() {
	e.t.Helper()
	if len(e.args) > 0 {
		e.fail(fmt.Sprintf("nothing asked for %s", e.args[0].Key))
	}
}

func (e *Event) fail(problem string) {
	e.t.Helper()
	e.t.Fatalf("%s: %s", e.Name, problem)
}
