# SPDX-License-Identifier: GPL-2.0
#
# What KTAP on stdin says, from all nesting levels: "passed failed skipped". The
# result of a parameterized case is that of its parameters, and is not counted; a
# plan that is not kept is a failure, too.

function close_level(level) {
	if (level in plan && plan[level] != seen[level])
		failed++
	delete plan[level]
	seen[level] = 0
}

{
	match($0, /^ */)
	level = int(RLENGTH / 4)
	line = substr($0, RLENGTH + 1)
}

line ~ /^1\.\.[0-9]+$/ {
	plan[level] = substr(line, 4) + 0
	next
}

line ~ /^(not )?ok / {
	seen[level]++
	inner = level + 1 in children
	if (inner)
		close_level(level + 1)
	delete children[level + 1]
	children[level]
	if (inner)
		next
	if (line ~ /^not ok /)
		failed++
	else if (line ~ /# SKIP/)
		skipped++
	else
		passed++
}

END {
	print passed + 0, failed + 0, skipped + 0
}
