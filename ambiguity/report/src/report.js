const field = document.getElementById("search");
field.addEventListener("input", () => {
  const wanted = field.value.toLowerCase();
  for (const item of document.querySelectorAll("ul.findings li")) {
    item.hidden = !item.textContent.toLowerCase().includes(wanted);
  }
});
