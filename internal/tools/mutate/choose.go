package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// entry is a mutant that does the same as the code, and why.
type entry struct {
	mutant
	Reason string `json:"reason"`
}

// readEquivalents returns the ids of the mutants that do the same. An entry without
// a reason, or of code that is no longer there, is an error.
func readEquivalents(text []byte, p *plan) (map[int]bool, error) {
	var list []entry
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("equivalent.json: %w", err)
	}
	ids, files := map[mutant]int{}, map[string]bool{}
	for _, m := range p.mutants {
		ids[m.identity()] = m.ID
		files[m.File] = true
	}
	equivalent, gone := map[int]bool{}, []error(nil)
	for _, e := range list {
		id, ok := ids[e.identity()]
		switch {
		case strings.TrimSpace(e.Reason) == "":
			return nil, fmt.Errorf("equivalent.json: no reason for %v", e.mutant)
		case ok && equivalent[id]:
			return nil, fmt.Errorf("equivalent.json: twice: %v", e.mutant)
		case ok:
			equivalent[id] = true
		case files[e.File]:
			gone = append(gone, fmt.Errorf("equivalent.json: no such mutant: %v", e.mutant))
		}
	}
	return equivalent, errors.Join(gone...)
}

// choose returns the ids that are to run.
func (p *plan) choose(o options, equivalent map[int]bool) ([]int, error) {
	match, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, m := range p.mutants {
		if match.MatchString(m.String()) && (o.recheck || !equivalent[m.ID]) {
			ids = append(ids, m.ID)
		}
	}
	if o.sample > 0 && o.sample < len(ids) {
		r := rand.New(rand.NewPCG(o.seed, 0))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:o.sample]
		slices.Sort(ids)
	}
	return ids, nil
}

func root(dir string) (string, error) {
	out, err := goCommand(dir, "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	return filepath.Abs(strings.TrimSpace(string(out)))
}
