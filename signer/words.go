package signer

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

//go:embed words.tmpl
var wordsText string

// bounded has ceilings, and of whom they bound what leaves.
type bounded struct {
	Of, Verb string
	Ceilings []Ceiling
	Ceiling
}

var wordsOf = template.Must(template.New("words").Funcs(template.FuncMap{
	"ceilings": func(of, verb string, all []Ceiling) bounded { return bounded{of, verb, all, Ceiling{}} },
	"windows":  func(of, verb string, c Ceiling) bounded { return bounded{of, verb, nil, c} },
	"bounds":   func(who string, of any) map[string]any { return map[string]any{"Who": who, "Bounds": of} },
	"within":   func(p *Policy, most int64) string { return p.Prices.words(most) },
	"known":    Client.known, "pin": Pin.words, "quoted": quoted[string],
}).Parse(wordsText))

// Words says in sentences what a policy allows, a line each. Two policies that allow the same
// in another order say the same.
func (p *Policy) Words() []string {
	var text strings.Builder
	if err := wordsOf.Execute(&text, p); err != nil {
		panic(err) // the template is of a Policy
	}
	return slices.DeleteFunc(strings.Split(text.String(), "\n"), func(line string) bool { return line == "" })
}

func (p Pin) words() string {
	text := "any instruction"
	if p.Instructions != nil {
		text = "instructions " + strings.Join(p.Instructions, ", ")
	}
	text += fmt.Sprintf(" of %s, which may write %s", p.Program, quoted(p.MayWrite))
	if p.Deployed != 0 {
		text += fmt.Sprintf(", as it was deployed in slot %d", p.Deployed)
	}
	if p.Floor != nil {
		text += fmt.Sprintf(", to whose account %d at least the amount at byte %d comes", p.Floor.To, p.Floor.Least)
	}
	switch {
	case p.MustBeOurs == nil:
		return text + "; what it releases may go anywhere"
	case len(*p.MustBeOurs) == 0:
		return text + " and releases nothing"
	}
	return fmt.Sprintf("%s; accounts %v of it must be ours", text, *p.MustBeOurs)
}

func quoted[T ~string](all []T) string {
	if len(all) == 0 {
		return "nothing"
	}
	var texts []string
	for _, text := range all {
		texts = append(texts, fmt.Sprintf("%q", text))
	}
	return strings.Join(texts, ", ")
}

// Diff says what another policy allows more, "+", and less, "-", in the words of Words.
func (p *Policy) Diff(next *Policy) (lines []string) {
	add := func(sign string, all, but []string) {
		for _, line := range all {
			if !slices.Contains(but, line) {
				lines = append(lines, sign+line)
			}
		}
	}
	was, is := p.Words(), next.Words()
	add("- ", was, is)
	add("+ ", is, was)
	return lines
}
