package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox"
)

// fixture is a request to a real service and its answer, without secrets.
type fixture struct {
	Service sandbox.Service `json:"service"`
	Method  string          `json:"method"`
	Path    string          `json:"path"` // with the query
	Keys    []string        `json:"keys"` // the headers in which a credential came
	Request string          `json:"request,omitzero"`
	Status  int             `json:"status"`
	Answer  string          `json:"answer"`
	Omitted []string        `json:"omitted,omitzero"` // request, answer: it was not short and whole text
}

// fixtures returns what was recorded. A secret is masked in all of them, whichever it came in.
func (r *recorder) fixtures() []fixture {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := secrets{}
	all := make([]fixture, 0, len(r.all))
	for _, e := range r.all {
		found.learnExchange(e)
		all = append(all, e.fixture(r.service, r.base, found))
	}
	for i := range all {
		f := &all[i]
		f.Path, f.Request, f.Answer = found.hide(f.Path), found.hide(f.Request), found.hide(f.Answer)
	}
	return all
}

// fixture masks what is named as secrets are, and learns it.
func (e *exchange) fixture(service sandbox.Service, base string, found secrets) fixture {
	f := fixture{Service: service, Method: e.method, Status: e.status}
	for name := range e.headers {
		if keyIn(name) {
			f.Keys = append(f.Keys, name)
		}
	}
	slices.Sort(f.Keys)
	f.Path = strings.TrimPrefix(e.path, strings.TrimSuffix(base, "/"))
	if e.query != "" {
		f.Path += "?" + found.hideNamed(e.query)
	}
	for _, body := range []struct {
		name string
		of   *capture
		into *string
	}{{"request", e.request, &f.Request}, {"answer", e.answer, &f.Answer}} {
		text, ok := body.of.text()
		if !ok {
			f.Omitted = append(f.Omitted, body.name)
		}
		*body.into = found.hideNamed(text)
	}
	return f
}

// holdAgainst compares the sandbox's answers with those of a file, line by line.
func holdAgainst(s streams, file string, asJSON bool) error {
	raw, err := s.readFile(file, mostFixtures)
	if err != nil {
		return err
	}
	var all []fixture
	if err := json.Unmarshal(raw, &all); err != nil {
		return as(statusMalformed, fmt.Errorf("%s: fixtures are wanted: %w", file, err))
	}
	box, err := sandbox.Start(sandbox.Config{NoLimits: true})
	if err != nil {
		return startError(err)
	}
	defer box.Close()
	differ := 0
	said := []difference{}
	for _, f := range all {
		if len(f.Omitted) > 0 {
			said = append(said, difference{f.Service, f.Method, f.Path,
				[]string{"not compared, without its " + strings.Join(f.Omitted, " and ")}})
			continue
		}
		lines, err := compare(box, f)
		if err != nil {
			return as(statusMalformed, err)
		}
		if len(lines) > 0 {
			said = append(said, difference{f.Service, f.Method, f.Path, lines})
			differ++
		}
	}
	if err := s.differences(said, len(all), differ, asJSON); err != nil {
		return err
	}
	if differ > 0 {
		return as(statusDiffers, fmt.Errorf("%d of %d answers differ", differ, len(all)))
	}
	return nil
}

// difference says in what an answer differs.
type difference struct {
	Service sandbox.Service `json:"service"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Lines   []string        `json:"lines"`
}

func (s streams) differences(said []difference, recorded, differ int, asJSON bool) error {
	if asJSON {
		return s.printJSON(struct {
			Recorded int          `json:"recorded"`
			Differ   int          `json:"differ"`
			Said     []difference `json:"said"`
		}{recorded, differ, said})
	}
	for _, d := range said {
		for _, line := range d.Lines {
			fmt.Fprintln(s.out, d.Service, d.Method, d.Path+":", line)
		}
	}
	_, err := fmt.Fprintf(s.out, "%d answers recorded, the sandbox differs in %d\n", recorded, differ)
	return err
}

// asked is how often the sandbox is asked: it serves undocumented answers in turns.
const asked = 4

// compare lists in what the sandbox's answers differ from a recorded one.
func compare(box *sandbox.Sandbox, f fixture) (lines []string, err error) {
	here, statuses := make([]map[string]string, 0, asked), map[int]bool{}
	for range asked {
		status, body, err := ask(box, f)
		if err != nil {
			return nil, err
		}
		statuses[status] = true
		here = append(here, kindsOf(body))
	}
	if !statuses[f.Status] {
		return []string{fmt.Sprintf("status %d, the sandbox's is %v", f.Status, slices.Sorted(maps.Keys(statuses)))}, nil
	}
	there := kindsOf([]byte(f.Answer))
	seen, always := map[string]string{}, map[string]int{}
	for _, kinds := range here {
		for path, kind := range kinds {
			seen[path] = join(seen[path], kind)
			always[path]++
		}
	}
	for path, kind := range there {
		switch other, ok := seen[path]; {
		case !ok && seen[parent(path)] != "":
			lines = append(lines, path+" ("+kind+") is not in the sandbox's")
		case ok && !meets(kind, other):
			lines = append(lines, path+" is "+kind+", the sandbox's "+other)
		}
	}
	for path, n := range always {
		if n == asked && there[path] == "" && there[parent(path)] != "" {
			lines = append(lines, path+" ("+seen[path]+") is in the sandbox's alone")
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// ask makes a recorded request of the sandbox, with its own keys.
func ask(box *sandbox.Sandbox, f fixture) (status int, body []byte, err error) {
	at, err := url.Parse(box.URL(f.Service) + f.Path)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(f.Method, at.String(), strings.NewReader(f.Request))
	if err != nil {
		return 0, nil, err
	}
	key := box.APIKey(f.Service)
	if f.Service == sandbox.SmartAccount {
		key, _ = box.SmartAccount().SignIn("recorded@example.com")
	}
	for _, name := range f.Keys {
		request.Header.Set(name, key)
		if name == "Authorization" {
			request.Header.Set(name, "Bearer "+key)
		}
	}
	if f.Request != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := box.Transport().RoundTrip(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, err
}
